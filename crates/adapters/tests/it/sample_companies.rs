//! Two real companies of the sandbox's sample, as each source of details must answer them.

use kuraka_domain::{TaxpayerDetail, TaxpayerStatus};
use kuraka_ports::contract::samples::detail;
use kuraka_sandbox::sample::COMPANY;

/// Nothing is made up about real companies: the sources know what the sample says, and the type that the RUC shows.
pub(crate) fn companies() -> Vec<TaxpayerDetail> {
    let company = |ruc, name, address: &str| TaxpayerDetail {
        full_address: address.to_owned(),
        taxpayer_type: "PERSONA JURIDICA".to_owned(),
        ..detail(ruc, name)
    };
    let withholding = "Incorporado al Régimen de Agentes de Retención de IGV (R.S.037-2002) a partir del 01/06/2002";
    vec![
        TaxpayerDetail {
            padrones: vec![withholding.to_owned()],
            ..company(
                COMPANY,
                "3M PERU S A",
                "AV. ENRIQUE CANAVAL Y MOREYRA NRO. 641 URB. EL PALOMAR - SAN ISIDRO - LIMA - LIMA",
            )
        },
        TaxpayerDetail {
            status: TaxpayerStatus::Deregistered,
            ..company(
                "20110548894",
                "CENTRO CORPORATIVO S.A.",
                "AV. PASEO DE LA REPUBLICA NRO. 3135 - SAN ISIDRO - LIMA - LIMA",
            )
        },
    ]
}
