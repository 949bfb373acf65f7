// Calls every operation with the client that openapi-generator generates, and handles every error by one type.

import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.List;
import java.util.Objects;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.ComprobantesApi;
import org.openapitools.client.api.ContribuyentesApi;
import org.openapitools.client.api.CuentaApi;
import org.openapitools.client.api.TablasApi;
import org.openapitools.client.model.AnnexRecord;
import org.openapitools.client.model.DetailRecord;
import org.openapitools.client.model.ErrorAnswer;
import org.openapitools.client.model.ErrorCode;
import org.openapitools.client.model.FiscalAddressRecord;
import org.openapitools.client.model.OperatingCapacityRecord;
import org.openapitools.client.model.ProfileRecord;
import org.openapitools.client.model.QueriesRecord;
import org.openapitools.client.model.RucRequest;
import org.openapitools.client.model.SearchRecord;
import org.openapitools.client.model.SearchRequest;
import org.openapitools.client.model.SummaryRecord;
import org.openapitools.client.model.VoucherRequest;
import org.openapitools.client.model.VoucherRequest.CodigoTipoDocumentoEnum;
import org.openapitools.client.model.VoucherInBatchTotal;

public final class Calls {
  private static final String COMPANY = "20999990038";
  private static final String SANCTIONED = "20999990755";
  private static final String ABSENT = "20999999990";

  private interface Call<T> {
    T run() throws ApiException;
  }

  private static int calls;

  private static <T> T found(Call<T> call) throws ApiException {
    calls += 1;
    return call.run();
  }

  /** The code of a call that must fail. */
  private static ErrorCode failed(ApiClient client, Call<?> call) throws Exception {
    calls += 1;
    try {
      throw new IllegalStateException("no error: " + call.run());
    } catch (ApiException failure) {
      ErrorAnswer error = client.getObjectMapper().readValue(failure.getResponseBody(), ErrorAnswer.class);
      equal(error.getRetryable(), false);
      return error.getCode();
    }
  }

  private static void equal(Object left, Object right) {
    if (!Objects.equals(left, right)) {
      throw new IllegalStateException(left + " is not " + right);
    }
  }

  private static VoucherRequest voucher(String series, VoucherInBatchTotal total) {
    return new VoucherRequest().rucEmisor("20999990062").codigoTipoDocumento(CodigoTipoDocumentoEnum._01)
        .serieDocumento(series).numeroDocumento("1").fechaDeEmision(LocalDate.of(2026, 1, 15)).total(total);
  }

  private static ApiClient client(String base, String token) {
    ApiClient client = new ApiClient();
    client.updateBaseUri(base);
    client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + token));
    return client;
  }

  public static void main(String[] arguments) throws Exception {
    ApiClient client = client(arguments[0], arguments[1]);
    ContribuyentesApi taxpayers = new ContribuyentesApi(client);
    ComprobantesApi vouchers = new ComprobantesApi(client);
    CuentaApi account = new CuentaApi(client);
    RucRequest company = new RucRequest().ruc(COMPANY);
    RucRequest absent = new RucRequest().ruc(ABSENT);

    SummaryRecord summary = found(() -> taxpayers.ruc(company)).getData();
    equal(summary, found(() -> taxpayers.rucGet(COMPANY)).getData());
    equal(summary.getDepartamento(), "PUNO");

    DetailRecord detail = found(() -> taxpayers.rucOfficial(company)).getData();
    equal(detail, found(() -> taxpayers.rucOfficialGet(COMPANY)).getData());
    equal(detail.getEmisionElectronica().getDesde(), LocalDate.of(2018, 5, 25));
    equal(detail.getFechaBaja(), null);
    equal(detail.getActividadesEconomicasDetalle().get(0).getCiiu(), "5610");

    ProfileRecord profile = found(() -> taxpayers.rucFicha(company)).getData();
    equal(profile, found(() -> taxpayers.rucFichaGet(COMPANY)).getData());
    equal(profile.getDatosAbiertos().getTrabajadores(), 148);
    equal(profile.getSinCapacidadOperativa(), null);

    List<AnnexRecord> annexes = found(() -> taxpayers.rucAnexos(company)).getData();
    equal(annexes, found(() -> taxpayers.rucAnexosGet(COMPANY)).getData());
    equal(annexes.size(), 3);

    OperatingCapacityRecord capacity = found(() -> taxpayers.rucSsco(new RucRequest().ruc(SANCTIONED))).getData();
    equal(capacity, found(() -> taxpayers.rucSscoGet(SANCTIONED)).getData());
    equal(capacity.getSinCapacidadOperativa().getFirmeDesde(), LocalDate.of(2025, 5, 6));

    FiscalAddressRecord address = found(() -> taxpayers.rucDomicilioFiscal(company)).getData();
    equal(address, found(() -> taxpayers.rucDomicilioFiscalGet(COMPANY)).getData());
    equal(address.getUbigeo(), "210101");

    SearchRequest search = new SearchRequest().nombre("molin").limite(1);
    SearchRecord page = found(() -> taxpayers.rucBusqueda(search)).getData();
    SearchRecord last = found(() -> taxpayers.rucBusqueda(search.cursor(page.getSiguiente()))).getData();
    equal(page.getResultados().get(0).getRuc(), "20999990062");
    equal(last.getResultados().get(0).getRuc(), "20140996549");
    equal(last.getSiguiente(), null);
    equal(found(() -> new TablasApi(client).ubigeos()).getData().get(0).getUbigeo(), "010101");

    VoucherRequest number = voucher("F001", new VoucherInBatchTotal(new BigDecimal("118.00")));
    equal(found(() -> vouchers.cpe(number)).getData().getComprobanteEstadoDescripcion(), "ACEPTADO");
    VoucherRequest text = voucher("F001", new VoucherInBatchTotal("118.00"));
    equal(found(() -> vouchers.cpe(text)).getData().getComprobanteEstadoCodigo(), "1");

    QueriesRecord queries = found(() -> account.usage()).getData().getConsultas();
    equal(queries.getLimite(), queries.getUsadas() + queries.getRestantes());

    for (Call<?> call : List.<Call<?>>of(() -> taxpayers.ruc(absent), () -> taxpayers.rucOfficialGet(ABSENT),
        () -> taxpayers.rucFicha(absent), () -> taxpayers.rucAnexosGet(ABSENT), () -> taxpayers.rucDomicilioFiscal(absent))) {
      equal(failed(client, call), ErrorCode.DOCUMENT_NOT_FOUND);
    }
    equal(failed(client, () -> taxpayers.rucSsco(new RucRequest().ruc("20999999991"))), ErrorCode.INVALID_INPUT);
    equal(failed(client, () -> taxpayers.rucBusqueda(new SearchRequest().nombre("m"))), ErrorCode.INVALID_INPUT);
    equal(failed(client, () -> vouchers.cpe(voucher("B001", new VoucherInBatchTotal("118.00")))), ErrorCode.INVALID_INPUT);
    ApiClient stranger = client(arguments[0], "x");
    equal(failed(stranger, () -> new CuentaApi(stranger).usage()), ErrorCode.UNAUTHENTICATED);
    System.out.println("Java, " + arguments[0] + ": " + calls + " calls");
  }
}
