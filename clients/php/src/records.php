<?php

// What is answered. clients/records.py writes this file from the OpenAPI document.

declare(strict_types=1);

namespace Kuraka;

/** Reads decoded JSON; what is not of the documented type is an error. */
final class Json
{
    /** @param mixed $value */
    public static function string($value): string
    {
        return is_string($value) ? $value : self::refuse('un texto');
    }

    /** @param mixed $value */
    public static function int($value): int
    {
        return is_int($value) ? $value : self::refuse('un entero');
    }

    /** @param mixed $value */
    public static function float($value): float
    {
        return is_int($value) || is_float($value) ? (float) $value : self::refuse('un número');
    }

    /** @param mixed $value */
    public static function bool($value): bool
    {
        return is_bool($value) ? $value : self::refuse('un valor lógico');
    }

    /**
     * @param mixed $value
     * @return array<mixed>
     */
    public static function object($value): array
    {
        return is_array($value) ? $value : self::refuse('un objeto');
    }

    /**
     * @template T
     * @param mixed $value
     * @param callable(mixed): T $read
     * @return list<T>
     */
    public static function list($value, callable $read): array
    {
        return array_map($read, array_values(self::object($value)));
    }

    /**
     * @template T
     * @param callable(mixed): T $read
     * @return callable(mixed): list<T>
     */
    public static function listOf(callable $read): callable
    {
        return static function ($value) use ($read): array {
            return self::list($value, $read);
        };
    }

    /**
     * @template T
     * @param mixed $value
     * @param callable(mixed): T $read
     * @return T|null
     */
    public static function nullable($value, callable $read)
    {
        return $value === null ? null : $read($value);
    }

    /** @return never */
    private static function refuse(string $wanted)
    {
        throw new KurakaConnectionError("La respuesta no es la documentada: falta $wanted.", false);
    }
}

/**
 * The version of this package, and the types of what callers pass.
 *
 * @phpstan-type ChangesRequest array{datos?: list<'existe'|'nombre_o_razon_social'|'estado'|'condicion'|'direccion'|'departamento'|'provincia'|'distrito'|'retencion'|'buenos_contribuyentes'|'percepcion_venta_interna'|'percepcion_combustibles'|'sin_capacidad_operativa'|'sancion'>|null, desde?: string|null, limite?: int|null, todos?: bool|null}
 * @phpstan-type CodedRucRequest array{ruc: string, codigo?: string|null}
 * @phpstan-type RucOnDay array{fecha: string, ruc: string}
 * @phpstan-type SearchRequest array{nombre: string, condicion?: string|null, cursor?: string|null, departamento?: string|null, estado?: string|null, limite?: int|null, modo?: 'palabras'|'comienzo'|'contiene'|null}
 * @phpstan-type VoucherInBatch array{codigo_tipo_documento: '01'|'03'|'04'|'07'|'08'|'R1'|'R7', fecha_de_emision: string, numero_documento: string, ruc_emisor: string, serie_documento: string, total: float|string}
 * @phpstan-type VoucherRequest array{codigo_tipo_documento: '01'|'03'|'04'|'07'|'08'|'R1'|'R7', fecha_de_emision: string, numero_documento: string, ruc_emisor: string, serie_documento: string, total: float|string}
 */
final class Package
{
    public const VERSION = '0.1.0';
}

/** Una actividad económica. */
final class ActivityRecord
{
    /** @var string Código CIIU. */
    public string $ciiu;

    /** @var string Descripción. */
    public string $descripcion;

    /** @var string PRINCIPAL o SECUNDARIA. */
    public string $tipo;

    /** @param mixed $json */
    public static function read($json): self
    {
        $data = Json::object($json);
        $record = new self();
        $record->ciiu = Json::string($data['ciiu'] ?? null);
        $record->descripcion = Json::string($data['descripcion'] ?? null);
        $record->tipo = Json::string($data['tipo'] ?? null);
        return $record;
    }
}

/** Cuántos locales anexos. */
final class AnnexCountRecord
{
    /** @var int El total. */
    public int $total;

    /** @param mixed $json */
    public static function read($json): self
    {
        $data = Json::object($json);
        $record = new self();
        $record->total = Json::int($data['total'] ?? null);
        return $record;
    }
}

/** Un local anexo. Lo que el archivo no dice es un texto vacío. */
final class AnnexRecord
{
    /** @var string Actividad económica; no se publica. */
    public string $actividad_economica;

    /** @var string Código del establecimiento; no se publica. */
    public string $codigo;

    /** @var string Departamento. */
    public string $departamento;

    /** @var string Dirección en una línea. */
    public string $direccion;

    /** @var string Dirección con distrito, provincia y departamento. */
    public string $direccion_completa;

    /** @var string Distrito. */
    public string $distrito;

    /** @var string Provincia. */
    public string $provincia;

    /** @var string Tipo de establecimiento; no se publica. */
    public string $tipo_de_establecimiento;

    /** @var string Código de distrito del INEI. */
    public string $ubigeo;

    /** @param mixed $json */
    public static function read($json): self
    {
        $data = Json::object($json);
        $record = new self();
        $record->actividad_economica = Json::string($data['actividad_economica'] ?? null);
        $record->codigo = Json::string($data['codigo'] ?? null);
        $record->departamento = Json::string($data['departamento'] ?? null);
        $record->direccion = Json::string($data['direccion'] ?? null);
        $record->direccion_completa = Json::string($data['direccion_completa'] ?? null);
        $record->distrito = Json::string($data['distrito'] ?? null);
        $record->provincia = Json::string($data['provincia'] ?? null);
        $record->tipo_de_establecimiento = Json::string($data['tipo_de_establecimiento'] ?? null);
        $record->ubigeo = Json::string($data['ubigeo'] ?? null);
        return $record;
    }
}

/** Un cambio. */
final class ChangeRecord
{
    /** @var string El valor anterior. */
    public string $antes;

    /** @var string Qué cambió: existe, un campo, el nombre de un padrón, sin_capacidad_operativa o sancion. */
    public string $dato;

    /** @var string El valor nuevo. */
    public string $despues;

    /** @var string Esa edición. */
    public string $edicion;

    /** @var string La fecha de la primera edición con el valor nuevo. */
    public string $fecha;

    /** @param mixed $json */
    public static function read($json): self
    {
        $data = Json::object($json);
        $record = new self();
        $record->antes = Json::string($data['antes'] ?? null);
        $record->dato = Json::string($data['dato'] ?? null);
        $record->despues = Json::string($data['despues'] ?? null);
        $record->edicion = Json::string($data['edicion'] ?? null);
        $record->fecha = Json::string($data['fecha'] ?? null);
        return $record;
    }
}

/** Primer y último día. */
final class CoveredPeriod
{
    /** @var string */
    public string $desde;

    /** @var string */
    public string $hasta;

    /** @param mixed $json */
    public static function read($json): self
    {
        $data = Json::object($json);
        $record = new self();
        $record->desde = Json::string($data['desde'] ?? null);
        $record->hasta = Json::string($data['hasta'] ?? null);
        return $record;
    }
}

/** El contribuyente en una fecha: con existe true, todos los campos; con false, solo los tres primeros. */
final class DayRecord
{
    /** @var string La edición del padrón que la cubre. */
    public string $edicion;

    /** @var bool Si está en esa edición. */
    public bool $existe;

    /** @var string La fecha. */
    public string $fecha;

    /** @var string|null Condición del domicilio, como HABIDO o NO HALLADO. */
    public ?string $condicion;

    /** @var string|null Departamento; vacío si no hay dirección. */
    public ?string $departamento;

    /** @var string|null Dirección en una línea; vacía para personas naturales. */
    public ?string $direccion;

    /** @var string|null SI o NO; null si no se sabe. */
    public ?string $es_agente_de_retencion;

    /** @var string|null SI o NO; null si no se sabe. */
    public ?string $es_buen_contribuyente;

    /** @var string|null Estado, como ACTIVO o BAJA DE OFICIO. */
    public ?string $estado;

    /** @var string|null Nombre o razón social. */
    public ?string $nombre_o_razon_social;

    /** @var list<string>|null Los padrones en los que estaba. */
    public ?array $padrones;

    /** @var string|null RUC de 11 dígitos. */
    public ?string $ruc;

    /** @var bool|null Si estaba declarado sin capacidad operativa; null si no se sabe. */
    public ?bool $sin_capacidad_operativa;

    /** @param mixed $json */
    public static function read($json): self
    {
        $data = Json::object($json);
        $record = new self();
        $record->edicion = Json::string($data['edicion'] ?? null);
        $record->existe = Json::bool($data['existe'] ?? null);
        $record->fecha = Json::string($data['fecha'] ?? null);
        $record->condicion = Json::nullable($data['condicion'] ?? null, [Json::class, 'string']);
        $record->departamento = Json::nullable($data['departamento'] ?? null, [Json::class, 'string']);
        $record->direccion = Json::nullable($data['direccion'] ?? null, [Json::class, 'string']);
        $record->es_agente_de_retencion = Json::nullable($data['es_agente_de_retencion'] ?? null, [Json::class, 'string']);
        $record->es_buen_contribuyente = Json::nullable($data['es_buen_contribuyente'] ?? null, [Json::class, 'string']);
        $record->estado = Json::nullable($data['estado'] ?? null, [Json::class, 'string']);
        $record->nombre_o_razon_social = Json::nullable($data['nombre_o_razon_social'] ?? null, [Json::class, 'string']);
        $record->padrones = Json::nullable($data['padrones'] ?? null, static function ($value): array { return Json::list($value, [Json::class, 'string']); });
        $record->ruc = Json::nullable($data['ruc'] ?? null, [Json::class, 'string']);
        $record->sin_capacidad_operativa = Json::nullable($data['sin_capacidad_operativa'] ?? null, [Json::class, 'bool']);
        return $record;
    }
}

/** Datos completos de un contribuyente. */
final class DetailRecord
{
    /** @var string Actividad de comercio exterior. */
    public string $actividad_comercio_exterior;

    /** @var list<string> Descripciones de las actividades económicas. */
    public array $actividades_economicas;

    /** @var list<ActivityRecord> Las mismas actividades con su código. */
    public array $actividades_economicas_detalle;

    /** @var list<string> Comprobantes autorizados. */
    public array $comprobantes_autorizados;

    /** @var string Condición del domicilio. */
    public string $condicion;

    /** @var string Dirección con distrito, provincia y departamento; vacía para personas naturales. */
    public string $direccion_completa;

    /** @var ElectronicRecord Emisión electrónica. */
    public ElectronicRecord $emision_electronica;

    /** @var string Estado. */
    public string $estado;

    /** @var string|null Fecha de baja. */
    public ?string $fecha_baja;

    /** @var string|null Fecha de inicio de actividades. */
    public ?string $fecha_inicio_actividades;

    /** @var string|null Fecha de inscripción. */
    public ?string $fecha_inscripcion;

    /** @var string Nombre comercial. */
    public string $nombre_comercial;

    /** @var string Nombre o razón social. */
    public string $nombre_o_razon_social;

    /** @var list<string> Padrones a los que pertenece. */
    public array $padrones;

    /** @var string RUC de 11 dígitos. */
    public string $ruc;

    /** @var string Sistema de contabilidad. */
    public string $sistema_contabilidad;

    /** @var string Sistema de emisión. */
    public string $sistema_emision;

    /** @var string Tipo de contribuyente. */
    public string $tipo_contribuyente;

    /** @param mixed $json */
    public static function read($json): self
    {
        $data = Json::object($json);
        $record = new self();
        $record->actividad_comercio_exterior = Json::string($data['actividad_comercio_exterior'] ?? null);
        $record->actividades_economicas = Json::list($data['actividades_economicas'] ?? null, [Json::class, 'string']);
        $record->actividades_economicas_detalle = Json::list($data['actividades_economicas_detalle'] ?? null, [ActivityRecord::class, 'read']);
        $record->comprobantes_autorizados = Json::list($data['comprobantes_autorizados'] ?? null, [Json::class, 'string']);
        $record->condicion = Json::string($data['condicion'] ?? null);
        $record->direccion_completa = Json::string($data['direccion_completa'] ?? null);
        $record->emision_electronica = ElectronicRecord::read($data['emision_electronica'] ?? null);
        $record->estado = Json::string($data['estado'] ?? null);
        $record->fecha_baja = Json::nullable($data['fecha_baja'] ?? null, [Json::class, 'string']);
        $record->fecha_inicio_actividades = Json::nullable($data['fecha_inicio_actividades'] ?? null, [Json::class, 'string']);
        $record->fecha_inscripcion = Json::nullable($data['fecha_inscripcion'] ?? null, [Json::class, 'string']);
        $record->nombre_comercial = Json::string($data['nombre_comercial'] ?? null);
        $record->nombre_o_razon_social = Json::string($data['nombre_o_razon_social'] ?? null);
        $record->padrones = Json::list($data['padrones'] ?? null, [Json::class, 'string']);
        $record->ruc = Json::string($data['ruc'] ?? null);
        $record->sistema_contabilidad = Json::string($data['sistema_contabilidad'] ?? null);
        $record->sistema_emision = Json::string($data['sistema_emision'] ?? null);
        $record->tipo_contribuyente = Json::string($data['tipo_contribuyente'] ?? null);
        return $record;
    }
}

/** Un distrito. */
final class DistrictRecord
{
    /** @var string Departamento. */
    public string $departamento;

    /** @var string Distrito. */
    public string $distrito;

    /** @var string Provincia. */
    public string $provincia;

    /** @var string Código de distrito del INEI. */
    public string $ubigeo;

    /** @param mixed $json */
    public static function read($json): self
    {
        $data = Json::object($json);
        $record = new self();
        $record->departamento = Json::string($data['departamento'] ?? null);
        $record->distrito = Json::string($data['distrito'] ?? null);
        $record->provincia = Json::string($data['provincia'] ?? null);
        $record->ubigeo = Json::string($data['ubigeo'] ?? null);
        return $record;
    }
}

/** Lo que se sabe de la emisión electrónica. */
final class ElectronicRecord
{
    /** @var string|null Afiliado al PLE desde. */
    public ?string $afiliado_ple_desde;

    /** @var list<string> Comprobantes electrónicos. */
    public array $comprobantes;

    /** @var string|null Emisor electrónico desde. */
    public ?string $desde;

    /** @var list<string> Sistemas de emisión electrónica. */
    public array $sistemas;

    /** @param mixed $json */
    public static function read($json): self
    {
        $data = Json::object($json);
        $record = new self();
        $record->afiliado_ple_desde = Json::nullable($data['afiliado_ple_desde'] ?? null, [Json::class, 'string']);
        $record->comprobantes = Json::list($data['comprobantes'] ?? null, [Json::class, 'string']);
        $record->desde = Json::nullable($data['desde'] ?? null, [Json::class, 'string']);
        $record->sistemas = Json::list($data['sistemas'] ?? null, [Json::class, 'string']);
        return $record;
    }
}

/** El tipo de cambio de un día. */
final class ExchangeRateRecord
{
    /** @var float Soles por dólar a la compra, con tres decimales. */
    public float $compra;

    /** @var string El día que se consultó. */
    public string $fecha_busqueda;

    /** @var string|null El día del cierre de la SBS; null mientras no se conozca. */
    public ?string $fecha_cierre;

    /** @var string El día para el que la SUNAT lo publica. */
    public string $fecha_sunat;

    /** @var string Quién lo dice: SUNAT, por su texto de ese día, o BCRP, por el cierre que publica. */
    public string $fuente;

    /** @var string USD. */
    public string $moneda;

    /** @var float Soles por dólar a la venta, con tres decimales. */
    public float $venta;

    /** @var string|null La fecha_busqueda, con el nombre que esperan clientes de otros servicios. */
    public ?string $date;

    /** @var float|null La compra, igualmente. */
    public ?float $purchase;

    /** @var float|null La venta, igualmente. */
    public ?float $sale;

    /** @param mixed $json */
    public static function read($json): self
    {
        $data = Json::object($json);
        $record = new self();
        $record->compra = Json::float($data['compra'] ?? null);
        $record->fecha_busqueda = Json::string($data['fecha_busqueda'] ?? null);
        $record->fecha_cierre = Json::nullable($data['fecha_cierre'] ?? null, [Json::class, 'string']);
        $record->fecha_sunat = Json::string($data['fecha_sunat'] ?? null);
        $record->fuente = Json::string($data['fuente'] ?? null);
        $record->moneda = Json::string($data['moneda'] ?? null);
        $record->venta = Json::float($data['venta'] ?? null);
        $record->date = Json::nullable($data['date'] ?? null, [Json::class, 'string']);
        $record->purchase = Json::nullable($data['purchase'] ?? null, [Json::class, 'float']);
        $record->sale = Json::nullable($data['sale'] ?? null, [Json::class, 'float']);
        return $record;
    }
}

/** Un cambio de un RUC. */
final class FeedChangeRecord
{
    /** @var string El valor anterior. */
    public string $antes;

    /** @var string|null El código propio; null si no tiene. */
    public ?string $codigo;

    /** @var string Qué cambió, como en /ruc-historial. */
    public string $dato;

    /** @var string El valor nuevo. */
    public string $despues;

    /** @var string La edición que pasó a ser la actual. */
    public string $edicion;

    /** @var string La fecha de la edición. */
    public string $fecha;

    /** @var string RUC de 11 dígitos. */
    public string $ruc;

    /** @param mixed $json */
    public static function read($json): self
    {
        $data = Json::object($json);
        $record = new self();
        $record->antes = Json::string($data['antes'] ?? null);
        $record->codigo = Json::nullable($data['codigo'] ?? null, [Json::class, 'string']);
        $record->dato = Json::string($data['dato'] ?? null);
        $record->despues = Json::string($data['despues'] ?? null);
        $record->edicion = Json::string($data['edicion'] ?? null);
        $record->fecha = Json::string($data['fecha'] ?? null);
        $record->ruc = Json::string($data['ruc'] ?? null);
        return $record;
    }
}

/** Una página de cambios. */
final class FeedRecord
{
    /** @var bool Si no queda nada más por ahora; si es false y siguiente repite desde, llame más tarde. */
    public bool $al_dia;

    /** @var list<FeedChangeRecord> Por publicación, del más antiguo al más nuevo; dentro de ella por RUC. */
    public array $cambios;

    /** @var string El cursor para la siguiente llamada. */
    public string $siguiente;

    /** @param mixed $json */
    public static function read($json): self
    {
        $data = Json::object($json);
        $record = new self();
        $record->al_dia = Json::bool($data['al_dia'] ?? null);
        $record->cambios = Json::list($data['cambios'] ?? null, [FeedChangeRecord::class, 'read']);
        $record->siguiente = Json::string($data['siguiente'] ?? null);
        return $record;
    }
}

/** El domicilio fiscal. Para personas naturales, todo menos el RUC es un texto vacío. */
final class FiscalAddressRecord
{
    /** @var string Departamento. */
    public string $departamento;

    /** @var string Dirección en una línea. */
    public string $direccion;

    /** @var string Dirección con distrito, provincia y departamento. */
    public string $direccion_completa;

    /** @var string Distrito. */
    public string $distrito;

    /** @var string Provincia. */
    public string $provincia;

    /** @var string RUC de 11 dígitos. */
    public string $ruc;

    /** @var string Código de distrito del INEI. */
    public string $ubigeo;

    /** @param mixed $json */
    public static function read($json): self
    {
        $data = Json::object($json);
        $record = new self();
        $record->departamento = Json::string($data['departamento'] ?? null);
        $record->direccion = Json::string($data['direccion'] ?? null);
        $record->direccion_completa = Json::string($data['direccion_completa'] ?? null);
        $record->distrito = Json::string($data['distrito'] ?? null);
        $record->provincia = Json::string($data['provincia'] ?? null);
        $record->ruc = Json::string($data['ruc'] ?? null);
        $record->ubigeo = Json::string($data['ubigeo'] ?? null);
        return $record;
    }
}

/** Días que el registro de un conjunto de datos no cubre. */
final class GapRecord
{
    /** @var string El conjunto de datos. */
    public string $dataset;

    /** @var string El primer día. */
    public string $desde;

    /** @var string El último día. */
    public string $hasta;

    /** @var string Por qué: sin ediciones, o sin registro de cambios. */
    public string $motivo;

    /** @param mixed $json */
    public static function read($json): self
    {
        $data = Json::object($json);
        $record = new self();
        $record->dataset = Json::string($data['dataset'] ?? null);
        $record->desde = Json::string($data['desde'] ?? null);
        $record->hasta = Json::string($data['hasta'] ?? null);
        $record->motivo = Json::string($data['motivo'] ?? null);
        return $record;
    }
}

/** Lo que el registro de cambios tiene de un contribuyente. */
final class HistoryRecord
{
    /** @var list<ChangeRecord> Los cambios, de la edición más nueva a la más antigua; 200 como máximo. */
    public array $cambios;

    /** @var string El primer día que cubre el registro del padrón. */
    public string $desde;

    /** @var DayRecord|null El contribuyente en la fecha; null sin fecha. */
    public ?DayRecord $en_fecha;

    /** @var string El último. */
    public string $hasta;

    /** @var bool Si hay más cambios que los que están aquí. */
    public bool $mas_cambios;

    /** @var list<GapRecord> Los días entre ambas que el registro de un conjunto de datos no cubre. */
    public array $periodos_sin_registro;

    /** @var MonthsRecord|null Lo que los datos abiertos dijeron de una empresa cada mes; null si no se leyó ningún mes. */
    public ?MonthsRecord $por_mes;

    /** @var string RUC de 11 dígitos. */
    public string $ruc;

    /** @var ValidSinceRecord|null Desde cuándo vale sin interrupción lo de hoy, hasta donde llega el registro; null si hoy no está en el padrón. */
    public ?ValidSinceRecord $vigente_desde;

    /** @param mixed $json */
    public static function read($json): self
    {
        $data = Json::object($json);
        $record = new self();
        $record->cambios = Json::list($data['cambios'] ?? null, [ChangeRecord::class, 'read']);
        $record->desde = Json::string($data['desde'] ?? null);
        $record->en_fecha = Json::nullable($data['en_fecha'] ?? null, [DayRecord::class, 'read']);
        $record->hasta = Json::string($data['hasta'] ?? null);
        $record->mas_cambios = Json::bool($data['mas_cambios'] ?? null);
        $record->periodos_sin_registro = Json::list($data['periodos_sin_registro'] ?? null, [GapRecord::class, 'read']);
        $record->por_mes = Json::nullable($data['por_mes'] ?? null, [MonthsRecord::class, 'read']);
        $record->ruc = Json::string($data['ruc'] ?? null);
        $record->vigente_desde = Json::nullable($data['vigente_desde'] ?? null, [ValidSinceRecord::class, 'read']);
        return $record;
    }
}

/** La resolución que declara a un contribuyente sin capacidad operativa. */
final class IncapacityRecord
{
    /** @var string|null Día de la resolución. */
    public ?string $fecha_resolucion;

    /** @var string|null Día desde el que está firme. */
    public ?string $firme_desde;

    /** @var string Número de la resolución. */
    public string $resolucion;

    /** @param mixed $json */
    public static function read($json): self
    {
        $data = Json::object($json);
        $record = new self();
        $record->fecha_resolucion = Json::nullable($data['fecha_resolucion'] ?? null, [Json::class, 'string']);
        $record->firme_desde = Json::nullable($data['firme_desde'] ?? null, [Json::class, 'string']);
        $record->resolucion = Json::string($data['resolucion'] ?? null);
        return $record;
    }
}

/** Un elemento que no es válido. */
final class InvalidRucRecord
{
    /** @var string Por qué no es válido. */
    public string $message;

    /** @var string Lo enviado. */
    public string $ruc;

    /** @param mixed $json */
    public static function read($json): self
    {
        $data = Json::object($json);
        $record = new self();
        $record->message = Json::string($data['message'] ?? null);
        $record->ruc = Json::string($data['ruc'] ?? null);
        return $record;
    }
}

/** Un padrón en el que está el contribuyente. */
final class ListRecord
{
    /** @var string Nombre del conjunto de datos. */
    public string $codigo;

    /** @var string|null Primer día. */
    public ?string $desde;

    /** @var string Nombre del padrón. */
    public string $nombre;

    /** @var string La resolución; vacía si no se publica. */
    public string $resolucion;

    /** @param mixed $json */
    public static function read($json): self
    {
        $data = Json::object($json);
        $record = new self();
        $record->codigo = Json::string($data['codigo'] ?? null);
        $record->desde = Json::nullable($data['desde'] ?? null, [Json::class, 'string']);
        $record->nombre = Json::string($data['nombre'] ?? null);
        $record->resolucion = Json::string($data['resolucion'] ?? null);
        return $record;
    }
}

/** Elementos por lista. */
final class ListsRecord
{
    /** @var int En /cpe-multiple. */
    public int $comprobantes;

    /** @var int En /ruc-multiple. */
    public int $rucs;

    /** @param mixed $json */
    public static function read($json): self
    {
        $data = Json::object($json);
        $record = new self();
        $record->comprobantes = Json::int($data['comprobantes'] ?? null);
        $record->rucs = Json::int($data['rucs'] ?? null);
        return $record;
    }
}

/** Estado y condición publicados para un mes; null si la empresa no está en el archivo del mes. */
final class MonthRecord
{
    /** @var string|null Condición. */
    public ?string $condicion;

    /** @var string|null Estado. */
    public ?string $estado;

    /** @var string El mes, AAAA-MM. */
    public string $periodo;

    /** @param mixed $json */
    public static function read($json): self
    {
        $data = Json::object($json);
        $record = new self();
        $record->condicion = Json::nullable($data['condicion'] ?? null, [Json::class, 'string']);
        $record->estado = Json::nullable($data['estado'] ?? null, [Json::class, 'string']);
        $record->periodo = Json::string($data['periodo'] ?? null);
        return $record;
    }
}

/** Lo que los datos abiertos dijeron de una empresa cada mes. */
final class MonthsRecord
{
    /** @var list<MonthRecord> El primer mes y cada mes que difiere del mes conocido anterior, del más nuevo al más antiguo. */
    public array $cambios;

    /** @var string El primer mes leído, AAAA-MM. */
    public string $desde;

    /** @var string El último mes leído. */
    public string $hasta;

    /** @var list<string> Los meses entre ambos que no se publicaron o no se leyeron. */
    public array $meses_que_faltan;

    /** @param mixed $json */
    public static function read($json): self
    {
        $data = Json::object($json);
        $record = new self();
        $record->cambios = Json::list($data['cambios'] ?? null, [MonthRecord::class, 'read']);
        $record->desde = Json::string($data['desde'] ?? null);
        $record->hasta = Json::string($data['hasta'] ?? null);
        $record->meses_que_faltan = Json::list($data['meses_que_faltan'] ?? null, [Json::class, 'string']);
        return $record;
    }
}

/** Lo que dicen los datos abiertos. */
final class OpenDataRecord
{
    /** @var string Actividad de comercio exterior. */
    public string $actividad_comercio_exterior;

    /** @var list<string> Descripciones de las actividades económicas, la principal primero. */
    public array $actividades_economicas;

    /** @var string Mes de publicación, AAAA-MM. */
    public string $periodo;

    /** @var string Sistema de contabilidad. */
    public string $sistema_contabilidad;

    /** @var string Sistema de emisión. */
    public string $sistema_emision;

    /** @var string Tipo de contribuyente, en mayúsculas y sin tildes. */
    public string $tipo_contribuyente;

    /** @var int|null Número de trabajadores. */
    public ?int $trabajadores;

    /** @param mixed $json */
    public static function read($json): self
    {
        $data = Json::object($json);
        $record = new self();
        $record->actividad_comercio_exterior = Json::string($data['actividad_comercio_exterior'] ?? null);
        $record->actividades_economicas = Json::list($data['actividades_economicas'] ?? null, [Json::class, 'string']);
        $record->periodo = Json::string($data['periodo'] ?? null);
        $record->sistema_contabilidad = Json::string($data['sistema_contabilidad'] ?? null);
        $record->sistema_emision = Json::string($data['sistema_emision'] ?? null);
        $record->tipo_contribuyente = Json::string($data['tipo_contribuyente'] ?? null);
        $record->trabajadores = Json::nullable($data['trabajadores'] ?? null, [Json::class, 'int']);
        return $record;
    }
}

/** Si un contribuyente fue declarado sin capacidad operativa. */
final class OperatingCapacityRecord
{
    /** @var string RUC de 11 dígitos. */
    public string $ruc;

    /** @var IncapacityRecord|null La resolución; null si no hay ninguna. */
    public ?IncapacityRecord $sin_capacidad_operativa;

    /** @param mixed $json */
    public static function read($json): self
    {
        $data = Json::object($json);
        $record = new self();
        $record->ruc = Json::string($data['ruc'] ?? null);
        $record->sin_capacidad_operativa = Json::nullable($data['sin_capacidad_operativa'] ?? null, [IncapacityRecord::class, 'read']);
        return $record;
    }
}

/** Primer y último día. */
final class PeriodRecord
{
    /** @var string Primer día del mes. */
    public string $desde;

    /** @var string Último día del mes. */
    public string $hasta;

    /** @param mixed $json */
    public static function read($json): self
    {
        $data = Json::object($json);
        $record = new self();
        $record->desde = Json::string($data['desde'] ?? null);
        $record->hasta = Json::string($data['hasta'] ?? null);
        return $record;
    }
}

/** Todo lo que los archivos publicados dicen de un contribuyente. */
final class ProfileRecord
{
    /** @var AnnexCountRecord|null Cuántos locales anexos tiene; sus direcciones están en /ruc-anexos. */
    public ?AnnexCountRecord $anexos;

    /** @var string Condición del domicilio, como HABIDO o NO HALLADO. */
    public string $condicion;

    /** @var OpenDataRecord|null Lo que dicen los datos abiertos del mes, solo de personas jurídicas; null si no lo tienen. */
    public ?OpenDataRecord $datos_abiertos;

    /** @var string Departamento; vacío si no hay dirección. */
    public string $departamento;

    /** @var string Dirección en una línea; vacía para personas naturales. */
    public string $direccion;

    /** @var string Dirección con distrito, provincia y departamento; vacía para personas naturales. */
    public string $direccion_completa;

    /** @var string Distrito; vacío si no se conoce. */
    public string $distrito;

    /** @var string SI o NO; vacío si no se usa esa lista. */
    public string $es_agente_de_retencion;

    /** @var string SI o NO; vacío si no se usa esa lista. */
    public string $es_buen_contribuyente;

    /** @var string Estado, como ACTIVO o BAJA DE OFICIO. */
    public string $estado;

    /** @var list<SourceFileRecord> Los archivos que respondieron. */
    public array $fuentes;

    /** @var list<string> Conjuntos de datos que faltan aquí: sus campos son null, y solo entonces null es "no se sabe". */
    public array $no_disponibles;

    /** @var string Nombre o razón social. */
    public string $nombre_o_razon_social;

    /** @var list<ListRecord>|null Padrones en los que está; null si ninguno está disponible. */
    public ?array $padrones;

    /** @var string Provincia; vacía si no se conoce. */
    public string $provincia;

    /** @var string RUC de 11 dígitos. */
    public string $ruc;

    /** @var list<SanctionRecord>|null Sanciones para contratar con el Estado. */
    public ?array $sanciones;

    /** @var IncapacityRecord|null La resolución que lo declaró sin capacidad operativa; null si no hay ninguna. */
    public ?IncapacityRecord $sin_capacidad_operativa;

    /** @var string Código de distrito del INEI; vacío si no se conoce. */
    public string $ubigeo;

    /** @param mixed $json */
    public static function read($json): self
    {
        $data = Json::object($json);
        $record = new self();
        $record->anexos = Json::nullable($data['anexos'] ?? null, [AnnexCountRecord::class, 'read']);
        $record->condicion = Json::string($data['condicion'] ?? null);
        $record->datos_abiertos = Json::nullable($data['datos_abiertos'] ?? null, [OpenDataRecord::class, 'read']);
        $record->departamento = Json::string($data['departamento'] ?? null);
        $record->direccion = Json::string($data['direccion'] ?? null);
        $record->direccion_completa = Json::string($data['direccion_completa'] ?? null);
        $record->distrito = Json::string($data['distrito'] ?? null);
        $record->es_agente_de_retencion = Json::string($data['es_agente_de_retencion'] ?? null);
        $record->es_buen_contribuyente = Json::string($data['es_buen_contribuyente'] ?? null);
        $record->estado = Json::string($data['estado'] ?? null);
        $record->fuentes = Json::list($data['fuentes'] ?? null, [SourceFileRecord::class, 'read']);
        $record->no_disponibles = Json::list($data['no_disponibles'] ?? null, [Json::class, 'string']);
        $record->nombre_o_razon_social = Json::string($data['nombre_o_razon_social'] ?? null);
        $record->padrones = Json::nullable($data['padrones'] ?? null, static function ($value): array { return Json::list($value, [ListRecord::class, 'read']); });
        $record->provincia = Json::string($data['provincia'] ?? null);
        $record->ruc = Json::string($data['ruc'] ?? null);
        $record->sanciones = Json::nullable($data['sanciones'] ?? null, static function ($value): array { return Json::list($value, [SanctionRecord::class, 'read']); });
        $record->sin_capacidad_operativa = Json::nullable($data['sin_capacidad_operativa'] ?? null, [IncapacityRecord::class, 'read']);
        $record->ubigeo = Json::string($data['ubigeo'] ?? null);
        return $record;
    }
}

/** Límite, usadas y restantes. */
final class QueriesRecord
{
    /** @var int Las que el plan incluye. */
    public int $limite;

    /** @var int Las que quedan. */
    public int $restantes;

    /** @var int Las ya descontadas. */
    public int $usadas;

    /** @param mixed $json */
    public static function read($json): self
    {
        $data = Json::object($json);
        $record = new self();
        $record->limite = Json::int($data['limite'] ?? null);
        $record->restantes = Json::int($data['restantes'] ?? null);
        $record->usadas = Json::int($data['usadas'] ?? null);
        return $record;
    }
}

/** Las respuestas a una lista de RUC. */
final class RucBatchRecord
{
    /** @var string La edición del padrón que respondió. */
    public string $edicion;

    /** @var int Cuántos se encontraron. */
    public int $encontrados;

    /** @var list<RucItemRecord> Una respuesta por elemento, en el orden de la lista. */
    public array $resultados;

    /** @var int Cuántos elementos tiene la lista. */
    public int $total;

    /** @var list<SourceFileRecord>|null Los archivos que respondieron; solo con ficha. */
    public ?array $fuentes;

    /** @var list<string>|null Conjuntos de datos que faltan aquí: sus campos son null, y solo entonces null es "no se sabe". Solo con ficha. */
    public ?array $no_disponibles;

    /** @param mixed $json */
    public static function read($json): self
    {
        $data = Json::object($json);
        $record = new self();
        $record->edicion = Json::string($data['edicion'] ?? null);
        $record->encontrados = Json::int($data['encontrados'] ?? null);
        $record->resultados = Json::list($data['resultados'] ?? null, [RucItemRecord::class, 'read']);
        $record->total = Json::int($data['total'] ?? null);
        $record->fuentes = Json::nullable($data['fuentes'] ?? null, static function ($value): array { return Json::list($value, [SourceFileRecord::class, 'read']); });
        $record->no_disponibles = Json::nullable($data['no_disponibles'] ?? null, static function ($value): array { return Json::list($value, [Json::class, 'string']); });
        return $record;
    }
}

/** La respuesta a un RUC de una lista: data si su código es found; si no, message. */
final class RucItemRecord
{
    /** @var string found, document_not_found, invalid_input, date_not_covered o upstream_unavailable. */
    public string $code;

    /** @var bool Si repetir este RUC más tarde puede dar otra respuesta. */
    public bool $retryable;

    /** @var string El RUC, como fue enviado. */
    public string $ruc;

    /** @var TaxpayerData|null El contribuyente; de un elemento con fecha, el en_fecha de /ruc-historial. */
    public ?TaxpayerData $data;

    /** @var string|null La fecha, como fue enviada, si el elemento la tiene. */
    public ?string $fecha;

    /** @var string|null Qué pasó, para personas. */
    public ?string $message;

    /** @var int|null Con retryable: cuántos segundos esperar. */
    public ?int $retry_after;

    /** @param mixed $json */
    public static function read($json): self
    {
        $data = Json::object($json);
        $record = new self();
        $record->code = Json::string($data['code'] ?? null);
        $record->retryable = Json::bool($data['retryable'] ?? null);
        $record->ruc = Json::string($data['ruc'] ?? null);
        $record->data = Json::nullable($data['data'] ?? null, [TaxpayerData::class, 'read']);
        $record->fecha = Json::nullable($data['fecha'] ?? null, [Json::class, 'string']);
        $record->message = Json::nullable($data['message'] ?? null, [Json::class, 'string']);
        $record->retry_after = Json::nullable($data['retry_after'] ?? null, [Json::class, 'int']);
        return $record;
    }
}

/** Una sanción para contratar con el Estado. */
final class SanctionRecord
{
    /** @var string Primer día. */
    public string $desde;

    /** @var string|null Último día; null si es definitiva. */
    public ?string $hasta;

    /** @var string El motivo, como se publica. */
    public string $motivo;

    /** @var string DEFINITIVA o TEMPORAL. */
    public string $tipo;

    /** @param mixed $json */
    public static function read($json): self
    {
        $data = Json::object($json);
        $record = new self();
        $record->desde = Json::string($data['desde'] ?? null);
        $record->hasta = Json::nullable($data['hasta'] ?? null, [Json::class, 'string']);
        $record->motivo = Json::string($data['motivo'] ?? null);
        $record->tipo = Json::string($data['tipo'] ?? null);
        return $record;
    }
}

/** Una página de empresas. */
final class SearchRecord
{
    /** @var string La edición del padrón. */
    public string $edicion;

    /** @var list<SummaryRecord> Las empresas, en orden. */
    public array $resultados;

    /** @var string|null El cursor de la página que sigue; null si no hay más. */
    public ?string $siguiente;

    /** @param mixed $json */
    public static function read($json): self
    {
        $data = Json::object($json);
        $record = new self();
        $record->edicion = Json::string($data['edicion'] ?? null);
        $record->resultados = Json::list($data['resultados'] ?? null, [SummaryRecord::class, 'read']);
        $record->siguiente = Json::nullable($data['siguiente'] ?? null, [Json::class, 'string']);
        return $record;
    }
}

/** Un archivo publicado, y de cuándo es. */
final class SourceFileRecord
{
    /** @var string La edición. */
    public string $edicion;

    /** @var string El día de su publicación. */
    public string $fecha;

    /** @var string Nombre del conjunto de datos. */
    public string $nombre;

    /** @param mixed $json */
    public static function read($json): self
    {
        $data = Json::object($json);
        $record = new self();
        $record->edicion = Json::string($data['edicion'] ?? null);
        $record->fecha = Json::string($data['fecha'] ?? null);
        $record->nombre = Json::string($data['nombre'] ?? null);
        return $record;
    }
}

/** Datos resumidos de un contribuyente, según el padrón reducido. */
final class SummaryRecord
{
    /** @var string Condición del domicilio, como HABIDO o NO HALLADO. */
    public string $condicion;

    /** @var string Departamento; vacío si no hay dirección. */
    public string $departamento;

    /** @var string Dirección en una línea; vacía para personas naturales. */
    public string $direccion;

    /** @var string SI o NO; vacío si no se usa esa lista. */
    public string $es_agente_de_retencion;

    /** @var string SI o NO; vacío si no se usa esa lista. */
    public string $es_buen_contribuyente;

    /** @var string Estado, como ACTIVO o BAJA DE OFICIO. */
    public string $estado;

    /** @var string Nombre o razón social. */
    public string $nombre_o_razon_social;

    /** @var string RUC de 11 dígitos. */
    public string $ruc;

    /** @param mixed $json */
    public static function read($json): self
    {
        $data = Json::object($json);
        $record = new self();
        $record->condicion = Json::string($data['condicion'] ?? null);
        $record->departamento = Json::string($data['departamento'] ?? null);
        $record->direccion = Json::string($data['direccion'] ?? null);
        $record->es_agente_de_retencion = Json::string($data['es_agente_de_retencion'] ?? null);
        $record->es_buen_contribuyente = Json::string($data['es_buen_contribuyente'] ?? null);
        $record->estado = Json::string($data['estado'] ?? null);
        $record->nombre_o_razon_social = Json::string($data['nombre_o_razon_social'] ?? null);
        $record->ruc = Json::string($data['ruc'] ?? null);
        return $record;
    }
}

/** Un contribuyente: los ocho campos de /ruc, y con ficha los demás; de un elemento con fecha, los de en_fecha de /ruc-historial. */
final class TaxpayerData
{
    /** @var AnnexCountRecord|null Cuántos locales anexos tiene; sus direcciones están en /ruc-anexos. */
    public ?AnnexCountRecord $anexos;

    /** @var string|null Condición del domicilio, como HABIDO o NO HALLADO. */
    public ?string $condicion;

    /** @var OpenDataRecord|null Lo que dicen los datos abiertos del mes, solo de personas jurídicas; null si no lo tienen. */
    public ?OpenDataRecord $datos_abiertos;

    /** @var string|null Departamento; vacío si no hay dirección. */
    public ?string $departamento;

    /** @var string|null Dirección en una línea; vacía para personas naturales. */
    public ?string $direccion;

    /** @var string|null Dirección con distrito, provincia y departamento; vacía para personas naturales. */
    public ?string $direccion_completa;

    /** @var string|null Distrito; vacío si no se conoce. */
    public ?string $distrito;

    /** @var string|null De un elemento con fecha: la edición que la cubre. */
    public ?string $edicion;

    /** @var string|null SI o NO; vacío o null si no se sabe. */
    public ?string $es_agente_de_retencion;

    /** @var string|null SI o NO; vacío o null si no se sabe. */
    public ?string $es_buen_contribuyente;

    /** @var string|null Estado, como ACTIVO o BAJA DE OFICIO. */
    public ?string $estado;

    /** @var bool|null De un elemento con fecha: si estaba en esa edición. */
    public ?bool $existe;

    /** @var string|null De un elemento con fecha: la fecha. */
    public ?string $fecha;

    /** @var string|null Nombre o razón social. */
    public ?string $nombre_o_razon_social;

    /** @var list<mixed>|null Con ficha, los de /ruc-ficha; de un elemento con fecha, los de en_fecha de /ruc-historial. */
    public ?array $padrones;

    /** @var string|null Provincia; vacía si no se conoce. */
    public ?string $provincia;

    /** @var string|null RUC de 11 dígitos. */
    public ?string $ruc;

    /** @var list<SanctionRecord>|null Sanciones para contratar con el Estado. */
    public ?array $sanciones;

    /** @var mixed Con ficha, la de /ruc-ficha; de un elemento con fecha, la de en_fecha de /ruc-historial. */
    public $sin_capacidad_operativa;

    /** @var string|null Código de distrito del INEI; vacío si no se conoce. */
    public ?string $ubigeo;

    /** @param mixed $json */
    public static function read($json): self
    {
        $data = Json::object($json);
        $record = new self();
        $record->anexos = Json::nullable($data['anexos'] ?? null, [AnnexCountRecord::class, 'read']);
        $record->condicion = Json::nullable($data['condicion'] ?? null, [Json::class, 'string']);
        $record->datos_abiertos = Json::nullable($data['datos_abiertos'] ?? null, [OpenDataRecord::class, 'read']);
        $record->departamento = Json::nullable($data['departamento'] ?? null, [Json::class, 'string']);
        $record->direccion = Json::nullable($data['direccion'] ?? null, [Json::class, 'string']);
        $record->direccion_completa = Json::nullable($data['direccion_completa'] ?? null, [Json::class, 'string']);
        $record->distrito = Json::nullable($data['distrito'] ?? null, [Json::class, 'string']);
        $record->edicion = Json::nullable($data['edicion'] ?? null, [Json::class, 'string']);
        $record->es_agente_de_retencion = Json::nullable($data['es_agente_de_retencion'] ?? null, [Json::class, 'string']);
        $record->es_buen_contribuyente = Json::nullable($data['es_buen_contribuyente'] ?? null, [Json::class, 'string']);
        $record->estado = Json::nullable($data['estado'] ?? null, [Json::class, 'string']);
        $record->existe = Json::nullable($data['existe'] ?? null, [Json::class, 'bool']);
        $record->fecha = Json::nullable($data['fecha'] ?? null, [Json::class, 'string']);
        $record->nombre_o_razon_social = Json::nullable($data['nombre_o_razon_social'] ?? null, [Json::class, 'string']);
        $record->padrones = Json::nullable($data['padrones'] ?? null, static function ($value): array { return Json::list($value, static function ($item) { return $item; }); });
        $record->provincia = Json::nullable($data['provincia'] ?? null, [Json::class, 'string']);
        $record->ruc = Json::nullable($data['ruc'] ?? null, [Json::class, 'string']);
        $record->sanciones = Json::nullable($data['sanciones'] ?? null, static function ($value): array { return Json::list($value, [SanctionRecord::class, 'read']); });
        $record->sin_capacidad_operativa = $data['sin_capacidad_operativa'] ?? null;
        $record->ubigeo = Json::nullable($data['ubigeo'] ?? null, [Json::class, 'string']);
        return $record;
    }
}

/** Consumo del plan en el mes. */
final class UsageRecord
{
    /** @var QueriesRecord Consultas del mes. */
    public QueriesRecord $consultas;

    /** @var int Consultas por segundo que el plan sostiene. */
    public int $limite_por_segundo;

    /** @var ListsRecord Elementos por lista. */
    public ListsRecord $listas;

    /** @var PeriodRecord El mes, en hora del Perú. */
    public PeriodRecord $periodo;

    /** @var string Nombre del plan. */
    public string $plan;

    /** @var int RUC que la cuenta puede seguir. */
    public int $seguimiento;

    /** @param mixed $json */
    public static function read($json): self
    {
        $data = Json::object($json);
        $record = new self();
        $record->consultas = QueriesRecord::read($data['consultas'] ?? null);
        $record->limite_por_segundo = Json::int($data['limite_por_segundo'] ?? null);
        $record->listas = ListsRecord::read($data['listas'] ?? null);
        $record->periodo = PeriodRecord::read($data['periodo'] ?? null);
        $record->plan = Json::string($data['plan'] ?? null);
        $record->seguimiento = Json::int($data['seguimiento'] ?? null);
        return $record;
    }
}

/** Desde cuándo valen el estado y la condición de hoy. */
final class ValidSinceRecord
{
    /** @var string La condición. */
    public string $condicion;

    /** @var string El estado. */
    public string $estado;

    /** @param mixed $json */
    public static function read($json): self
    {
        $data = Json::object($json);
        $record = new self();
        $record->condicion = Json::string($data['condicion'] ?? null);
        $record->estado = Json::string($data['estado'] ?? null);
        return $record;
    }
}

/** Las respuestas a una lista de comprobantes. */
final class VoucherBatchRecord
{
    /** @var int Cuántos tienen respuesta de la SUNAT. */
    public int $encontrados;

    /** @var list<VoucherItemRecord> Una respuesta por elemento, en el orden de la lista. */
    public array $resultados;

    /** @var int Cuántos elementos tiene la lista. */
    public int $total;

    /** @param mixed $json */
    public static function read($json): self
    {
        $data = Json::object($json);
        $record = new self();
        $record->encontrados = Json::int($data['encontrados'] ?? null);
        $record->resultados = Json::list($data['resultados'] ?? null, [VoucherItemRecord::class, 'read']);
        $record->total = Json::int($data['total'] ?? null);
        return $record;
    }
}

/** La respuesta a un comprobante de una lista: sus campos como fueron enviados, o la línea que no se pudo separar; luego data si su código es found, y si no, message. */
final class VoucherItemRecord
{
    /** @var string found, invalid_input o upstream_unavailable. */
    public string $code;

    /** @var bool Si repetir este comprobante más tarde puede dar otra respuesta. */
    public bool $retryable;

    /** @var string|null Tipo de comprobante. */
    public ?string $codigo_tipo_documento;

    /** @var VoucherRecord|null Lo que la SUNAT dice. */
    public ?VoucherRecord $data;

    /** @var string|null Fecha de emisión. */
    public ?string $fecha_de_emision;

    /** @var string|null La línea que no tiene seis campos. */
    public ?string $linea;

    /** @var string|null Qué pasó, para personas. */
    public ?string $message;

    /** @var string|null Número. */
    public ?string $numero_documento;

    /** @var int|null Con retryable: cuántos segundos esperar. */
    public ?int $retry_after;

    /** @var string|null RUC del emisor. */
    public ?string $ruc_emisor;

    /** @var string|null Serie. */
    public ?string $serie_documento;

    /** @var string|null Importe total, en texto. */
    public ?string $total;

    /** @param mixed $json */
    public static function read($json): self
    {
        $data = Json::object($json);
        $record = new self();
        $record->code = Json::string($data['code'] ?? null);
        $record->retryable = Json::bool($data['retryable'] ?? null);
        $record->codigo_tipo_documento = Json::nullable($data['codigo_tipo_documento'] ?? null, [Json::class, 'string']);
        $record->data = Json::nullable($data['data'] ?? null, [VoucherRecord::class, 'read']);
        $record->fecha_de_emision = Json::nullable($data['fecha_de_emision'] ?? null, [Json::class, 'string']);
        $record->linea = Json::nullable($data['linea'] ?? null, [Json::class, 'string']);
        $record->message = Json::nullable($data['message'] ?? null, [Json::class, 'string']);
        $record->numero_documento = Json::nullable($data['numero_documento'] ?? null, [Json::class, 'string']);
        $record->retry_after = Json::nullable($data['retry_after'] ?? null, [Json::class, 'int']);
        $record->ruc_emisor = Json::nullable($data['ruc_emisor'] ?? null, [Json::class, 'string']);
        $record->serie_documento = Json::nullable($data['serie_documento'] ?? null, [Json::class, 'string']);
        $record->total = Json::nullable($data['total'] ?? null, [Json::class, 'string']);
        return $record;
    }
}

/** Lo que la SUNAT dice de un comprobante. */
final class VoucherRecord
{
    /** @var string 0 no existe, 1 aceptado, 2 anulado, 3 autorizado, 4 no autorizado; otros códigos se devuelven tal cual. */
    public string $comprobante_estado_codigo;

    /** @var string El código en palabras; vacío si no está en la tabla. */
    public string $comprobante_estado_descripcion;

    /** @var string Condición del emisor; vacía si la SUNAT no la dice. */
    public string $empresa_condicion_descripcion;

    /** @var string Estado del emisor; vacío si la SUNAT no lo dice. */
    public string $empresa_estado_descripcion;

    /** @var string Número, como fue enviado. */
    public string $numero_documento;

    /** @var list<string> Observaciones, solo informativas. */
    public array $observaciones;

    /** @var string RUC del emisor, como fue enviado. */
    public string $ruc_emisor;

    /** @var string Serie, como fue enviada. */
    public string $serie_documento;

    /** @param mixed $json */
    public static function read($json): self
    {
        $data = Json::object($json);
        $record = new self();
        $record->comprobante_estado_codigo = Json::string($data['comprobante_estado_codigo'] ?? null);
        $record->comprobante_estado_descripcion = Json::string($data['comprobante_estado_descripcion'] ?? null);
        $record->empresa_condicion_descripcion = Json::string($data['empresa_condicion_descripcion'] ?? null);
        $record->empresa_estado_descripcion = Json::string($data['empresa_estado_descripcion'] ?? null);
        $record->numero_documento = Json::string($data['numero_documento'] ?? null);
        $record->observaciones = Json::list($data['observaciones'] ?? null, [Json::class, 'string']);
        $record->ruc_emisor = Json::string($data['ruc_emisor'] ?? null);
        $record->serie_documento = Json::string($data['serie_documento'] ?? null);
        return $record;
    }
}

/** Lo que cambió en la lista. */
final class WatchChangeRecord
{
    /** @var int Los que no seguía. */
    public int $agregados;

    /** @var list<InvalidRucRecord> Elementos no válidos; los demás se procesaron. */
    public array $no_validos;

    /** @var int Los que seguía y ya no. */
    public int $quitados;

    /** @var int Los RUC que la cuenta sigue ahora. */
    public int $total;

    /** @param mixed $json */
    public static function read($json): self
    {
        $data = Json::object($json);
        $record = new self();
        $record->agregados = Json::int($data['agregados'] ?? null);
        $record->no_validos = Json::list($data['no_validos'] ?? null, [InvalidRucRecord::class, 'read']);
        $record->quitados = Json::int($data['quitados'] ?? null);
        $record->total = Json::int($data['total'] ?? null);
        return $record;
    }
}

/** Una página de los RUC que la cuenta sigue. */
final class WatchListRecord
{
    /** @var list<WatchedRecord> Por número de RUC. */
    public array $rucs;

    /** @var string|null El cursor de la página siguiente; null si no hay más. */
    public ?string $siguiente;

    /** @var int Los RUC de todas las páginas. */
    public int $total;

    /** @param mixed $json */
    public static function read($json): self
    {
        $data = Json::object($json);
        $record = new self();
        $record->rucs = Json::list($data['rucs'] ?? null, [WatchedRecord::class, 'read']);
        $record->siguiente = Json::nullable($data['siguiente'] ?? null, [Json::class, 'string']);
        $record->total = Json::int($data['total'] ?? null);
        return $record;
    }
}

/** Un RUC en seguimiento. */
final class WatchedRecord
{
    /** @var string|null El código propio; null si no tiene. */
    public ?string $codigo;

    /** @var string RUC de 11 dígitos. */
    public string $ruc;

    /** @param mixed $json */
    public static function read($json): self
    {
        $data = Json::object($json);
        $record = new self();
        $record->codigo = Json::nullable($data['codigo'] ?? null, [Json::class, 'string']);
        $record->ruc = Json::string($data['ruc'] ?? null);
        return $record;
    }
}

/** Los cambios de una publicación. */
final class WebhookData
{
    /** @var list<FeedChangeRecord> Hasta 100 cambios; si hay más, vienen en los avisos siguientes. */
    public array $cambios;

    /** @var string|null La edición que trajo los cambios; nulo en una prueba. */
    public ?string $edicion;

    /** @param mixed $json */
    public static function read($json): self
    {
        $data = Json::object($json);
        $record = new self();
        $record->cambios = Json::list($data['cambios'] ?? null, [FeedChangeRecord::class, 'read']);
        $record->edicion = Json::nullable($data['edicion'] ?? null, [Json::class, 'string']);
        return $record;
    }
}

/** Lo que se envía a la dirección de un aviso. */
final class WebhookRecord
{
    /** @var WebhookData Lo que cambió. */
    public WebhookData $data;

    /** @var string Cuándo se hizo el aviso. */
    public string $timestamp;

    /** @var string `contribuyente.cambios`, o `prueba`, sin cambios. */
    public string $type;

    /** @param mixed $json */
    public static function read($json): self
    {
        $data = Json::object($json);
        $record = new self();
        $record->data = WebhookData::read($data['data'] ?? null);
        $record->timestamp = Json::string($data['timestamp'] ?? null);
        $record->type = Json::string($data['type'] ?? null);
        return $record;
    }
}
