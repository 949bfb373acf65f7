// Calls with the client that openapi-generator generates for C#.

using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using Kuraka.Api;
using Kuraka.Client;
using Kuraka.Model;
using Newtonsoft.Json;

public static class Calls
{
    const string Company = "20999990038";
    const string Absent = "20999999990";

    static ErrorAnswer Failed(Func<object> call)
    {
        try
        {
            throw new InvalidOperationException("no error: " + call());
        }
        catch (ApiException failure)
        {
            return JsonConvert.DeserializeObject<ErrorAnswer>((string)failure.ErrorContent);
        }
    }

    static void Say(string name, params object[][] groups)
    {
        Func<object, string> word = value => value is DateTime day ? day.ToString("yyyy-MM-dd")
            : value is bool flag ? (flag ? "true" : "false")
            : value is Enum code ? JsonConvert.SerializeObject(code).Trim('"')
            : Convert.ToString(value ?? "null", CultureInfo.InvariantCulture);
        Console.WriteLine(name + " " + string.Join(", ", groups.Select(group => string.Join(" ", group.Select(word)))));
    }

    static VoucherRequest Voucher(string series, VoucherInBatchTotal total) => new VoucherRequest(
        codigoTipoDocumento: VoucherRequest.CodigoTipoDocumentoEnum._01, fechaDeEmision: new DateTime(2026, 1, 15),
        numeroDocumento: "1", rucEmisor: "20999990062", serieDocumento: series, total: total);

    public static void Main(string[] arguments)
    {
        var configuration = new Configuration { BasePath = arguments[0], AccessToken = arguments[1] };
        var taxpayers = new ContribuyentesApi(configuration);
        var vouchers = new ComprobantesApi(configuration);
        var day = new DateTime(2026, 10, 24);

        var company = taxpayers.Ruc(new RucRequest(Company)).Data;
        Say("ruc", new object[] { company.Ruc, company.Departamento, company.Condicion });
        var profile = taxpayers.RucFichaGet(Company).Data;
        Say("ficha", new object[] { profile.DatosAbiertos.Trabajadores, profile.SinCapacidadOperativa });
        var then = taxpayers.RucHistorial(new HistoryRequest(ruc: Company, fecha: day)).Data.EnFecha;
        Say("historial", new object[] { then.Fecha, then.Condicion });
        var onDay = new RucItem(new RucOnDay(ruc: Company, fecha: day));
        var batch = new RucBatchRequest(rucs: new List<RucItem> { new RucItem(Company), onDay, new RucItem(Absent) });
        Say("multiple", taxpayers.RucMultiple(batch).Data.Resultados
            .Select(it => it.Data == null ? new object[] { it.Code } : new object[] { it.Code, it.Data.Condicion }).ToArray());
        var page = taxpayers.RucBusqueda(new SearchRequest(nombre: "molin", limite: 1)).Data;
        var next = taxpayers.RucBusqueda(new SearchRequest(nombre: "molin", limite: 1, cursor: page.Siguiente)).Data;
        Say("busqueda", page.Resultados.Concat(next.Resultados).Select(it => new object[] { it.Ruc }).ToArray());
        var totals = new[] { new VoucherInBatchTotal(118.00m), new VoucherInBatchTotal("118.00") };
        Say("cpe", totals.Select(total => vouchers.Cpe(Voucher("F001", total)).Data)
            .Select(it => new object[] { it.ComprobanteEstadoCodigo, it.ComprobanteEstadoDescripcion }).ToArray());
        var rate = new TablasApi(configuration).TipoDeCambioGet("2026-09-06").Data;
        Say("tipo-de-cambio", new object[] { rate.FechaBusqueda, rate.Compra, rate.Venta, rate.FechaCierre });
        var absent = Failed(() => taxpayers.Ruc(new RucRequest(Absent)));
        Say("absent", new object[] { absent.Code, absent.Retryable });
        var invalid = Failed(() => vouchers.Cpe(Voucher("B001", totals[1])));
        Say("invalid", new object[] { invalid.Code, invalid.Retryable });
        var stranger = new CuentaApi(new Configuration { BasePath = arguments[0] });
        Say("stranger", new object[] { Failed(() => stranger.Usage()).Code });
    }
}
