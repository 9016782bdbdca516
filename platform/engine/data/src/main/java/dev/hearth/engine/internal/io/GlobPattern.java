package dev.hearth.engine.internal.io;

import dev.hearth.spi.error.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Glob patterns of paths, as in Hadoop. A path segment may contain {@code *}, {@code ?}, <code>[a-c]</code> and
 * <code>[^a-c]</code>. The alternatives <code>{a,b}</code> may span segments, and {@code \} quotes a character.
 * Stateless.
 */
final class GlobPattern {
    /** Upper bound on the number of paths to which the alternatives of one pattern expand. */
    private static final int ALTERNATIVES_MAX = 100_000;

    private static final String WILD = "*?[";

    private GlobPattern() {}

    /**
     * Splits a comma-separated list of path patterns. Commas within braces or after a backslash do not separate
     * patterns.
     */
    static List<String> list(String paths) {
        List<String> found = new ArrayList<>();
        int depth = 0;
        int begin = 0;
        for (int at = 0; at < paths.length(); at++) {
            char c = paths.charAt(at);
            if (c == '\\') {
                at++;
            } else if (c == '{') {
                depth++;
            } else if (c == '}') {
                depth = Math.max(0, depth - 1);
            } else if (c == ',' && depth == 0) {
                found.add(paths.substring(begin, at));
                begin = at + 1;
            }
        }
        found.add(paths.substring(begin));
        return found;
    }

    /** Expands the braces of a pattern: <code>{a,b}/c</code> becomes {@code a/c} and {@code b/c}. */
    static List<String> alternatives(String pattern) {
        int open = indexOf(pattern, '{', 0);
        if (open < 0) {
            return List.of(pattern);
        }
        int close = closing(pattern, open);
        List<String> rests = alternatives(pattern.substring(close + 1));
        List<String> found = new ArrayList<>();
        for (String choice : list(pattern.substring(open + 1, close))) {
            for (String middle : alternatives(choice)) {
                for (String rest : rests) {
                    found.add(pattern.substring(0, open) + middle + rest);
                    if (found.size() > ALTERNATIVES_MAX) {
                        throw ErrorCode.BAD_ARGUMENT.failure("path '" + pattern + "': more than " + ALTERNATIVES_MAX
                                + " alternatives (expected: at most that many)");
                    }
                }
            }
        }
        return found;
    }

    private static int closing(String pattern, int open) {
        int depth = 0;
        for (int at = open; at < pattern.length(); at++) {
            char c = pattern.charAt(at);
            if (c == '\\') {
                at++;
            } else if (c == '{') {
                depth++;
            } else if (c == '}' && --depth == 0) {
                return at;
            }
        }
        throw unclosed(pattern, '}');
    }

    private static int indexOf(String text, char wanted, int from) {
        for (int at = from; at < text.length(); at++) {
            if (text.charAt(at) == '\\') {
                at++;
            } else if (text.charAt(at) == wanted) {
                return at;
            }
        }
        return -1;
    }

    /** Returns whether the pattern has a wildcard, so that it can match more than one name. */
    static boolean isWild(String pattern) {
        for (int at = 0; at < pattern.length(); at++) {
            if (pattern.charAt(at) == '\\') {
                at++;
            } else if (WILD.indexOf(pattern.charAt(at)) >= 0) {
                return true;
            }
        }
        return false;
    }

    /** Removes the quoting backslashes from a pattern that has no wildcards. */
    static String unescape(String pattern) {
        StringBuilder name = new StringBuilder(pattern.length());
        for (int at = 0; at < pattern.length(); at++) {
            if (pattern.charAt(at) == '\\' && at + 1 < pattern.length()) {
                at++;
            }
            name.append(pattern.charAt(at));
        }
        return name.toString();
    }

    /** Compiles one segment of a path pattern, which is the text between two slashes, to a regular expression. */
    static Pattern segment(String segment) {
        StringBuilder regex = new StringBuilder();
        for (int at = 0; at < segment.length(); at++) {
            char c = segment.charAt(at);
            if (c == '*') {
                regex.append(".*");
            } else if (c == '?') {
                regex.append('.');
            } else if (c == '[') {
                at = characters(segment, at + 1, regex);
            } else {
                if (c == '\\' && at + 1 < segment.length()) {
                    at++;
                }
                regex.append(Pattern.quote(segment.substring(at, at + 1)));
            }
        }
        return Pattern.compile(regex.toString(), Pattern.DOTALL);
    }

    /**
     * Appends the character class that begins at index {@code from} of the segment to {@code regex}. Returns the index
     * at which the class ends.
     */
    private static int characters(String segment, int from, StringBuilder regex) {
        int at = from;
        regex.append('[');
        if (at < segment.length() && (segment.charAt(at) == '^' || segment.charAt(at) == '!')) {
            regex.append('^');
            at++;
        }
        int first = at;
        for (; at < segment.length(); at++) {
            char c = segment.charAt(at);
            if (c == ']' && at > first) {
                regex.append(']');
                return at;
            }
            if (c == '-' && at > first && at + 1 < segment.length() && segment.charAt(at + 1) != ']') {
                if (segment.charAt(at - 1) > segment.charAt(at + 1)) {
                    throw ErrorCode.BAD_ARGUMENT.failure("path segment '" + segment + "': the range "
                            + segment.substring(at - 1, at + 2) + " (expected: the lower character first)");
                }
                regex.append('-');
            } else {
                if (c == '\\' && at + 1 < segment.length()) {
                    at++;
                }
                regex.append('\\').append(escaped(segment.charAt(at)));
            }
        }
        throw unclosed(segment, ']');
    }

    private static String escaped(char c) {
        return String.format("u%04x", (int) c);
    }

    private static RuntimeException unclosed(String pattern, char wanted) {
        return ErrorCode.BAD_ARGUMENT.failure("path '" + pattern + "': a bracket is not closed (expected: '" + wanted
                + "' later on); write \\ before a bracket that is part of a name");
    }
}
