// The compiler must refuse this file: a voucher has six fields.
import type { components } from "./api.js";

export const voucher: components["schemas"]["VoucherRequest"] = {};
