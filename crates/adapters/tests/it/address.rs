//! Addresses of files, as people see them.

use kuraka_adapters::address::without_secrets;

#[test]
fn an_address_is_shown_without_user_password_and_query() {
    for (address, shown) in [
        ("https://a.pe/x.zip", "https://a.pe/x.zip"),
        ("https://ana:s3cr3t@a.pe/x.zip?key=s3cr3t", "https://…@a.pe/x.zip?…"),
        ("https://ana:s3@cr3t@a.pe", "https://…@a.pe"),
        ("x.zip", "x.zip"),
    ] {
        assert_eq!(without_secrets(address), shown);
    }
}
