// Calls with the client that openapi-generator generates for Java.

import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.*;
import org.openapitools.client.model.*;

public final class Calls {
  private static final String COMPANY = "20999990038";
  private static final String ABSENT = "20999999990";
  private static final LocalDate DAY = LocalDate.of(2026, 10, 24);

  private interface Call {
    Object run() throws ApiException;
  }

  /** The answer of a call that must fail. */
  private static ErrorAnswer failed(ApiClient client, Call call) throws Exception {
    try {
      throw new IllegalStateException("no error: " + call.run());
    } catch (ApiException failure) {
      return client.getObjectMapper().readValue(failure.getResponseBody(), ErrorAnswer.class);
    }
  }

  private static void say(Object... words) {
    System.out.println(Stream.of(words).map(String::valueOf).collect(Collectors.joining(" ")));
  }

  private static VoucherRequest voucher(String series, VoucherInBatchTotal total) {
    return new VoucherRequest().rucEmisor("20999990062").codigoTipoDocumento(VoucherRequest.CodigoTipoDocumentoEnum._01)
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

    SummaryRecord company = taxpayers.ruc(new RucRequest().ruc(COMPANY)).getData();
    say("ruc", company.getRuc(), company.getDepartamento(), company.getCondicion());
    ProfileRecord profile = taxpayers.rucFichaGet(COMPANY).getData();
    say("ficha", profile.getDatosAbiertos().getTrabajadores(), profile.getSinCapacidadOperativa());
    DayRecord day = taxpayers.rucHistorial(new HistoryRequest().ruc(COMPANY).fecha(DAY)).getData().getEnFecha();
    say("historial", day.getFecha(), day.getCondicion());
    RucItem onDay = new RucItem(new RucOnDay().ruc(COMPANY).fecha(DAY));
    RucBatchRequest batch = new RucBatchRequest().rucs(List.of(new RucItem(COMPANY), onDay, new RucItem(ABSENT)));
    say("multiple", taxpayers.rucMultiple(batch).getData().getResultados().stream()
        .map(item -> item.getCode() + (item.getData() == null ? "" : " " + item.getData().getCondicion()))
        .collect(Collectors.joining(", ")));
    SearchRequest search = new SearchRequest().nombre("molin").limite(1);
    SearchRecord page = taxpayers.rucBusqueda(search).getData();
    SearchRecord next = taxpayers.rucBusqueda(search.cursor(page.getSiguiente())).getData();
    say("busqueda", Stream.of(page, next).flatMap(it -> it.getResultados().stream()).map(SummaryRecord::getRuc)
        .collect(Collectors.joining(", ")));
    VoucherInBatchTotal text = new VoucherInBatchTotal("118.00");
    VoucherRecord number = vouchers.cpe(voucher("F001", new VoucherInBatchTotal(new BigDecimal("118.00")))).getData();
    say("cpe", Stream.of(number, vouchers.cpe(voucher("F001", text)).getData())
        .map(it -> it.getComprobanteEstadoCodigo() + " " + it.getComprobanteEstadoDescripcion())
        .collect(Collectors.joining(", ")));
    ExchangeRateRecord rate = new TablasApi(client).tipoDeCambioGet("2026-09-06").getData();
    say("tipo-de-cambio", rate.getFechaBusqueda(), rate.getCompra(), rate.getVenta(), rate.getFechaCierre());
    ErrorAnswer absent = failed(client, () -> taxpayers.ruc(new RucRequest().ruc(ABSENT)));
    say("absent", absent.getCode(), absent.getRetryable());
    ErrorAnswer invalid = failed(client, () -> vouchers.cpe(voucher("B001", text)));
    say("invalid", invalid.getCode(), invalid.getRetryable());
    ApiClient stranger = client(arguments[0], "x");
    say("stranger", failed(stranger, () -> new CuentaApi(stranger).usage()).getCode());
  }
}
