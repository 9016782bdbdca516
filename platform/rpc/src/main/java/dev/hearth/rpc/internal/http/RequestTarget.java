package dev.hearth.rpc.internal.http;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Target of an HTTP request: its decoded, normalised path and its query parameters. {@code authority} is the server
 * that the target names, if any. A target whose path a proxy and this server could read differently is refused, because
 * it could bypass access rules of the proxy.
 */
record RequestTarget(String path, Map<String, List<String>> query, Optional<String> authority) {
    private static final int PARAMETERS_MAX = 1_000;
    private static final int HEXADECIMAL = 16;
    private static final String ASTERISK = "*";

    static RequestTarget parse(String text) throws RequestRefused {
        if (text.equals(ASTERISK)) {
            return new RequestTarget(ASTERISK, Map.of(), Optional.empty());
        }
        String rest = text;
        Optional<String> authority = Optional.empty();
        if (text.regionMatches(true, 0, "http://", 0, 7) || text.regionMatches(true, 0, "https://", 0, 8)) {
            int begin = text.indexOf("//") + 2;
            int end = begin;
            while (end < text.length() && text.charAt(end) != '/' && text.charAt(end) != '?') {
                end++;
            }
            authority = Optional.of(text.substring(begin, end));
            rest = end < text.length() && text.charAt(end) == '/' ? text.substring(end) : "/" + text.substring(end);
        }
        if (!rest.startsWith("/")) {
            throw bad("it does not begin with a slash");
        }
        int question = rest.indexOf('?');
        String path = question < 0 ? rest : rest.substring(0, question);
        Map<String, List<String>> query = question < 0 ? Map.of() : parameters(rest.substring(question + 1));
        return new RequestTarget(normal(decoded(path, true)), query, authority);
    }

    /** Whether the target is the server as a whole, written {@code *}, as in {@code OPTIONS *}. */
    boolean isAsterisk() {
        return path.equals(ASTERISK);
    }

    private static String normal(String path) throws RequestRefused {
        Deque<String> segments = new ArrayDeque<>();
        String last = "";
        for (String segment : path.split("/", -1)) {
            last = segment;
            if (segment.equals("..")) {
                if (segments.pollLast() == null) {
                    throw bad("it leads above /");
                }
            } else if (!segment.isEmpty() && !segment.equals(".")) {
                segments.addLast(segment);
            }
        }
        boolean directory = last.isEmpty() || last.equals(".") || last.equals("..");
        String normal = "/" + String.join("/", segments);
        return directory && !segments.isEmpty() ? normal + "/" : normal;
    }

    private static Map<String, List<String>> parameters(String text) throws RequestRefused {
        Map<String, List<String>> parameters = new LinkedHashMap<>();
        int count = 0;
        for (String part : text.split("&", -1)) {
            if (part.isEmpty()) {
                continue;
            }
            if (++count > PARAMETERS_MAX) {
                throw bad("it has more than " + PARAMETERS_MAX + " parameters");
            }
            int equals = part.indexOf('=');
            String name = decoded(equals < 0 ? part : part.substring(0, equals), false);
            String value = equals < 0 ? "" : decoded(part.substring(equals + 1), false);
            parameters.computeIfAbsent(name, first -> new ArrayList<>()).add(value);
        }
        parameters.replaceAll((name, values) -> List.copyOf(values));
        return Collections.unmodifiableMap(parameters);
    }

    private static String decoded(String text, boolean path) throws RequestRefused {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c <= ' ' || c >= 0x7f || c == '#' || (path && c == '\\')) {
                throw bad("it has a character that has to be written with %");
            }
            if (c == '%') {
                int value = escaped(text, i);
                if (value == 0 || (path && (value < ' ' || value == 0x7f || value == '/' || value == '\\'))) {
                    throw bad("it has an escape that no path may have, " + text.substring(i, i + 3));
                }
                bytes.write(value);
                i += 2;
            } else {
                bytes.write(!path && c == '+' ? ' ' : c);
            }
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes.toByteArray()))
                    .toString();
        } catch (CharacterCodingException malformed) {
            throw bad("its escapes are not UTF-8");
        }
    }

    private static int escaped(String text, int at) throws RequestRefused {
        int high = at + 2 < text.length() ? Character.digit(text.charAt(at + 1), HEXADECIMAL) : -1;
        int low = high < 0 ? -1 : Character.digit(text.charAt(at + 2), HEXADECIMAL);
        if (low < 0) {
            throw bad("it has a % without two hexadecimal digits");
        }
        return high * HEXADECIMAL + low;
    }

    private static RequestRefused bad(String reason) {
        return HttpError.BAD_REQUEST.refused(
                "target of the request: " + reason + " (expected: a path such as /a/b?c=d)");
    }
}
