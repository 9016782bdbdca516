package dev.hearth.shell.submit;

import dev.hearth.spi.cluster.SubmissionStatus;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.StringJoiner;

/** Statuses of submissions as JSON for programs. Numbers are numbers, with their unit in the name. Stateless. */
final class SubmissionJson {
    private SubmissionJson() {}

    static String array(List<SubmissionStatus> statuses) {
        StringJoiner text = new StringJoiner(",\n ", "[", "]");
        statuses.forEach(status -> text.add(object(status)));
        return text.toString();
    }

    static String object(SubmissionStatus status) {
        StringJoiner text = new StringJoiner(",", "{", "}");
        text.add(field("submission", quoted(status.submission().value())));
        text.add(field("state", quoted(status.state().name())));
        text.add(field("final", String.valueOf(status.state().isFinal())));
        text.add(field("placement", textOrNull(status.placement())));
        text.add(field("exitStatus", number(status.exitStatus())));
        text.add(field("attempt", String.valueOf(status.attempt())));
        text.add(field("message", textOrNull(status.message())));
        text.add(field("submittedMillis", number(status.times().submittedMillis())));
        text.add(field("startedMillis", number(status.times().startedMillis())));
        text.add(field("endedMillis", number(status.times().endedMillis())));
        text.add(field(
                "ranMillis",
                status.times()
                        .took()
                        .map(took -> String.valueOf(took.toMillis()))
                        .orElse("null")));
        StringJoiner links = new StringJoiner(",", "{", "}");
        status.links().forEach((name, url) -> links.add(field(name, quoted(url))));
        text.add(field("links", links.toString()));
        return text.toString();
    }

    private static String field(String name, String value) {
        return quoted(name) + ":" + value;
    }

    private static String number(OptionalInt value) {
        return value.isPresent() ? String.valueOf(value.getAsInt()) : "null";
    }

    private static String number(OptionalLong value) {
        return value.isPresent() ? String.valueOf(value.getAsLong()) : "null";
    }

    private static String textOrNull(String text) {
        return text.isEmpty() ? "null" : quoted(text);
    }

    /** A JSON string. Escapes what JSON demands and all characters outside of ASCII, so that any locale can print it. */
    static String quoted(String text) {
        StringBuilder json = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char character = text.charAt(i);
            if (character == '"' || character == '\\') {
                json.append('\\').append(character);
            } else if (character == '\n') {
                json.append("\\n");
            } else if (character == '\t') {
                json.append("\\t");
            } else if (character < ' ' || character > '~') {
                json.append(String.format(Locale.ROOT, "\\u%04x", (int) character));
            } else {
                json.append(character);
            }
        }
        return json.append('"').toString();
    }
}
