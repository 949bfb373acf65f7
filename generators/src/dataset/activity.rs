//! Texts of economic activities: as many as the published files have, most of them rare.

use std::sync::LazyLock;

use crate::padron::random::Random;

const DOINGS: [&str; 8] = [
    "VENTA AL POR MENOR DE",
    "ACTIVIDADES DE",
    "VENTA AL POR MAYOR DE",
    "FABRICACIÓN DE",
    "OTRAS ACTIVIDADES DE",
    "CULTIVO Y CRÍA DE",
    "REPARACIÓN Y MANTENIMIENTO DE",
    "ALQUILER Y ARRENDAMIENTO DE",
];

const OBJECTS: [&str; 52] = [
    "ALIMENTOS, BEBIDAS Y TABACO EN COMERCIOS NO ESPECIALIZADOS",
    "TRANSPORTE DE CARGA POR CARRETERA",
    "RESTAURANTES Y DE SERVICIO MÓVIL DE COMIDAS",
    "CONSULTORÍA DE GESTIÓN",
    "PRENDAS DE VESTIR, CALZADO Y ARTÍCULOS DE CUERO",
    "PRODUCTOS DIVERSOS",
    "CONSTRUCCIÓN DE EDIFICIOS",
    "MATERIALES DE CONSTRUCCIÓN Y FERRETERÍA",
    "SERVICIOS PERSONALES",
    "ARQUITECTURA E INGENIERÍA",
    "VEHÍCULOS AUTOMOTORES Y SUS PARTES",
    "MAQUINARIA Y EQUIPO",
    "PROGRAMACIÓN INFORMÁTICA",
    "ENSEÑANZA SECUNDARIA",
    "PUBLICIDAD Y MERCADOTECNIA",
    "PRODUCTOS FARMACÉUTICOS Y MÉDICOS",
    "MUEBLES DE MADERA",
    "BIENES INMUEBLES PROPIOS",
    "LIMPIEZA GENERAL DE EDIFICIOS",
    "CONTABILIDAD Y AUDITORÍA",
    "SEGURIDAD PRIVADA",
    "PRODUCTOS LÁCTEOS",
    "CEREALES Y LEGUMBRES",
    "HORTALIZAS Y MELONES",
    "GANADO VACUNO",
    "AVES DE CORRAL",
    "PESCADO Y CRUSTÁCEOS",
    "METALES COMUNES",
    "MINERALES METALÍFEROS NO FERROSOS",
    "PLÁSTICO Y CAUCHO",
    "PAPEL Y CARTÓN",
    "IMPRESIÓN Y ENCUADERNACIÓN",
    "TEJIDOS DE PUNTO",
    "EQUIPO ELÉCTRICO",
    "ORDENADORES Y PROGRAMAS",
    "COMBUSTIBLES SÓLIDOS, LÍQUIDOS Y GASEOSOS",
    "AGUA Y ALCANTARILLADO",
    "DESPERDICIOS",
    "ALMACENAMIENTO Y DEPÓSITO",
    "AGENCIAS DE VIAJES",
    "HOTELES",
    "TELECOMUNICACIONES",
    "INTERMEDIACIÓN MONETARIA",
    "SEGUROS",
    "PUBLICACIONES PERIÓDICAS",
    "RADIO Y TELEVISIÓN",
    "HOSPITALES",
    "ODONTOLOGÍA",
    "ASISTENCIA SOCIAL",
    "DEPORTES Y RECREO",
    "JUEGOS DE AZAR",
    "ASOCIACIONES PROFESIONALES",
];

/// Texts of revision 4, with accents.
static REVISION_4: LazyLock<Vec<String>> = LazyLock::new(|| {
    let of = |object: &'static str| DOINGS.iter().map(move |doing| format!("{doing} {}", object.replace(',', "")));
    OBJECTS.into_iter().flat_map(of).collect()
});

/// Texts of revision 3, without accents and cut.
static REVISION_3: LazyLock<Vec<String>> = LazyLock::new(|| {
    let plain = |text: &String| -> String {
        text.replace("VENTA AL POR MENOR DE", "VTA. MIN.")
            .replace("VENTA AL POR MAYOR DE", "VTA. MAY.")
            .chars()
            .map(|sign| match sign {
                'Á' => 'A',
                'É' => 'E',
                'Í' => 'I',
                'Ó' => 'O',
                other => other,
            })
            .take(40)
            .collect()
    };
    REVISION_4.iter().map(plain).collect()
});

/// An activity in both revisions.
pub(super) fn draw(random: &mut Random) -> (&'static str, &'static str) {
    let index = random.rank(4, 7) as usize % REVISION_4.len();
    let text = |texts: &'static [String]| texts.get(index).map(String::as_str).unwrap_or_default();
    (text(&REVISION_3), text(&REVISION_4))
}
