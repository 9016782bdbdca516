package dev.hearth.yarn.internal.launch;

/**
 * Text for the launch script of a NodeManager, which puts commands and values of variables into double quotes without
 * escaping them. A NodeManager replaces {@code {{NAME}}} by a variable of the node, and {@code <LOG_DIR>} by the log
 * directory, wherever they stand. Pure.
 */
final class ScriptText {
    private ScriptText() {}

    /** Escapes {@code text} for double quotes, so that the shell sees it as it is. */
    static String inDoubleQuotes(String text) {
        StringBuilder escaped = new StringBuilder(text.length() + 16);
        for (int i = 0; i < text.length(); i++) {
            char character = text.charAt(i);
            if (character == '\\' || character == '"' || character == '$' || character == '`') {
                escaped.append('\\');
            }
            escaped.append(character);
        }
        return escaped.toString();
    }

    /** One word of a command for the shell. */
    static String word(String text) {
        return "'" + text.replace("'", "'\\''") + "'";
    }
}
