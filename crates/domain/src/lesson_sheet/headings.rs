//! Headings and words of sheets in several languages. A heading that an operator chose is not in the table, and is not
//! translated.

use super::language::Language;

/// Languages of the columns of [`WORDS`] after the first column, which is English.
const LANGUAGES: [&str; 4] = ["de", "fr", "es", "ar"];

const WORDS: &[[&str; 5]] = &[
    ["What we see", "Das sehen wir", "Ce que nous voyons", "Lo que vemos", "ما نراه"],
    ["Our question", "Unsere Frage", "Notre question", "Nuestra pregunta", "سؤالنا"],
    ["Grade", "Klasse", "Niveau", "Curso", "الصف"],
    ["Group size", "Gruppengröße", "Taille des groupes", "Tamaño del grupo", "حجم المجموعة"],
    ["Duration in minutes", "Dauer in Minuten", "Durée en minutes", "Duración en minutos", "المدة بالدقائق"],
    ["Duration", "Dauer", "Durée", "Duración", "المدة"],
    ["Curriculum", "Lehrplan", "Programme", "Currículo", "المنهج"],
    ["Language", "Sprache", "Langue", "Idioma", "اللغة"],
    ["Phenomenon", "Phänomen", "Phénomène", "Fenómeno", "الظاهرة"],
    ["Driving question", "Leitfrage", "Question directrice", "Pregunta guía", "السؤال المحوري"],
    ["Pictures", "Bilder", "Images", "Imágenes", "الصور"],
    ["Objectives", "Lernziele", "Objectifs", "Objetivos", "الأهداف"],
    ["Hypothesis", "Vermutung", "Hypothèse", "Hipótesis", "الفرضية"],
    ["Variables", "Variablen", "Variables", "Variables", "المتغيرات"],
    [
        "Independent variable",
        "Unabhängige Variable",
        "Variable indépendante",
        "Variable independiente",
        "المتغير المستقل",
    ],
    ["Dependent variable", "Abhängige Variable", "Variable dépendante", "Variable dependiente", "المتغير التابع"],
    [
        "Controlled variables",
        "Kontrollierte Variablen",
        "Variables contrôlées",
        "Variables controladas",
        "المتغيرات المضبوطة",
    ],
    ["Materials", "Material", "Matériel", "Materiales", "المواد والأدوات"],
    ["Safety", "Sicherheit", "Sécurité", "Seguridad", "السلامة"],
    ["Steps", "Durchführung", "Déroulement", "Pasos", "الخطوات"],
    ["Assessment", "Lernkontrolle", "Évaluation", "Evaluación", "التقويم"],
    ["Differentiation", "Differenzierung", "Différenciation", "Atención a la diversidad", "مراعاة الفروق الفردية"],
    ["Vocabulary", "Wortschatz", "Vocabulaire", "Vocabulario", "المفردات"],
    ["Homework", "Hausaufgabe", "Devoirs", "Tarea", "الواجب المنزلي"],
    ["Unplaced text", "Noch nicht eingeordneter Text", "Texte à classer", "Texto sin clasificar", "نص لم يوضع بعد"],
    ["Lesson", "Unterrichtsstunde", "Leçon", "Lección", "درس"],
    // The abbreviation of minutes, which is the same for one minute and for several.
    ["min", "min", "min", "min", "د"],
    ["Name", "Name", "Nom", "Nombre", "الاسم"],
    ["Date", "Datum", "Date", "Fecha", "التاريخ"],
    ["Our results", "Unsere Ergebnisse", "Nos résultats", "Nuestros resultados", "نتائجنا"],
    ["Our guess", "Unsere Vermutung", "Notre hypothèse", "Nuestra hipótesis", "توقّعنا"],
    ["Notes", "Notizen", "Notes", "Notas", "ملاحظات"],
    ["For teachers", "Für Lehrkräfte", "Pour les enseignants", "Para docentes", "للمعلمين"],
    // Separator between the page number and the number of pages.
    ["/", "/", "/", "/", "من"],
    ["Term", "Begriff", "Terme", "Término", "المصطلح"],
    ["Definition", "Erklärung", "Définition", "Definición", "التعريف"],
    ["picture left out", "Bild weggelassen", "image omise", "imagen omitida", "صورة غير مدرجة"],
    ["picture removed", "Bild entfernt", "image supprimée", "imagen eliminada", "حُذفت الصورة"],
    [
        "This lesson is too long for one sheet, so the rest is left out.",
        "Diese Stunde ist zu lang für ein Blatt, deshalb fehlt der Rest.",
        "Cette leçon est trop longue pour une fiche : la suite manque.",
        "Esta lección es demasiado larga para una hoja, por eso falta el resto.",
        "هذا الدرس أطول من أن تتسع له ورقة واحدة، لذلك حُذفت بقيته.",
    ],
];

/// Returns a word of the table in a language; `english` itself if the word or the language is not in the table.
pub(super) fn translated<'w>(english: &'w str, language: &Language) -> &'w str {
    let primary = language.primary();
    let column = LANGUAGES.iter().position(|known| *known == primary);
    let row = || WORDS.iter().find(|row| row[0] == english);
    column.and_then(|column| row()?.get(column + 1)).copied().unwrap_or(english)
}
