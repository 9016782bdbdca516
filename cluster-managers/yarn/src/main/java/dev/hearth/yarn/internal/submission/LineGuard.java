package dev.hearth.yarn.internal.submission;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Guard of the lines that a submitter prints. Programs that start Spark take the last word of the form {@code
 * application[0-9_]+} for the id of the application, so that no other such word may be printed. Pure.
 */
final class LineGuard {
    private static final Pattern WORD = Pattern.compile("application(?=[0-9_])");
    private static final Pattern ID = Pattern.compile("application_\\d+_\\d+");

    private LineGuard() {}

    /** The line {@code text}, in which each such word that is not {@code id} has a blank after {@code application}. */
    static String guarded(String text, String id) {
        Matcher word = WORD.matcher(text);
        StringBuilder guarded = new StringBuilder();
        while (word.find()) {
            word.appendReplacement(guarded, isId(text, word.start(), id) ? "application" : "application ");
        }
        return word.appendTail(guarded).toString();
    }

    private static boolean isId(String text, int at, String id) {
        Matcher found = ID.matcher(text).region(at, text.length());
        return found.lookingAt() && found.group().equals(id);
    }
}
