// Compiles with `tsc --strict`: what callers get is typed.
import { Kuraka, type RucItemRecord, type SummaryRecord, type VoucherRequest } from "kuraka";

export async function strict(client: Kuraka, voucher: VoucherRequest): Promise<void> {
  const company: SummaryRecord | null = await client.ruc("20100119227");
  const items: AsyncGenerator<RucItemRecord> = client.rucMultiple(["20100119227"], { ficha: true });
  // @ts-expect-error a RUC is a text
  await client.ruc(20100119227);
  console.log(company, items, (await client.cpe(voucher)).comprobante_estado_codigo);
}
