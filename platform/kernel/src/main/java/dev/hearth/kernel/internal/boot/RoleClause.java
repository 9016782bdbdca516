package dev.hearth.kernel.internal.boot;

import dev.hearth.kernel.internal.inventory.ManifestClauses;
import dev.hearth.kernel.internal.inventory.ManifestClauses.Clause;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringTokenizer;
import java.util.TreeSet;

/**
 * Clause of the manifest header {@code Hearth-Role}: roles to which a bundle belongs, and attributes. {@code main}: the
 * bundle runs the role. {@code when}: triggers on which it starts ({@link OnDemandBundleGroup}). {@code argument}: it
 * starts if an argument begins with one of these words. {@code needs}: bundles that start with it. {@code help}: line
 * about the role in the help of bin/hearth. Immutable.
 */
record RoleClause(
        Set<String> roles, boolean main, List<String> when, List<String> firstWords, List<String> needs, String help) {
    static final String HEADER = "Hearth-Role";
    private static final String MAIN = "main";
    private static final String WHEN = "when";
    private static final String ARGUMENT = "argument";
    private static final String NEEDS = "needs";
    private static final String HELP = "help";
    private static final Set<String> ATTRIBUTES = new TreeSet<>(List.of(MAIN, WHEN, ARGUMENT, NEEDS, HELP));
    private static final String PUNCTUATION = "._-";

    RoleClause {
        roles = Set.copyOf(roles);
        when = List.copyOf(when);
        firstWords = List.copyOf(firstWords);
        needs = List.copyOf(needs);
    }

    /**
     * Parses the header. Each role may occur once. Fails with {@code IllegalArgumentException}; the message says what
     * was expected.
     */
    static List<RoleClause> parse(String header) {
        List<RoleClause> clauses = new ArrayList<>();
        Set<String> known = new HashSet<>();
        for (Clause clause : ManifestClauses.parse(header)) {
            for (String role : clause.paths()) {
                require(isName(role), role, "the name of a role");
                require(known.add(role), role, "each role once");
            }
            require(!clause.paths().isEmpty(), header, "roles before attributes");
            for (String attribute : clause.attributes().keySet()) {
                require(ATTRIBUTES.contains(attribute), attribute, "attributes among " + ATTRIBUTES);
            }
            clauses.add(of(clause));
        }
        return clauses;
    }

    private static RoleClause of(Clause clause) {
        Map<String, String> attributes = clause.attributes();
        String main = attributes.getOrDefault(MAIN, "false");
        require(main.equals("true") || main.equals("false"), MAIN + "=" + main, "true or false");
        require(
                main.equals("false") || !attributes.containsKey(WHEN),
                MAIN + " and " + WHEN,
                "a bundle that runs a role starts with it");
        require(
                main.equals("true") || !attributes.containsKey(HELP),
                HELP + " without " + MAIN,
                "help of the bundle that runs a role");
        return new RoleClause(
                Set.copyOf(clause.paths()),
                main.equals("true"),
                words(attributes, WHEN),
                words(attributes, ARGUMENT),
                words(attributes, NEEDS),
                attributes.getOrDefault(HELP, ""));
    }

    /** Whether one of {@code given} begins with a word in {@code argument}. */
    boolean isRequestedBy(List<String> given) {
        for (String argument : given) {
            StringTokenizer words = new StringTokenizer(argument);
            if (words.hasMoreTokens() && firstWords.contains(words.nextToken())) {
                return true;
            }
        }
        return false;
    }

    /** Whether the bundle starts with every process of its roles. */
    boolean isUnconditional() {
        return when.isEmpty() && firstWords.isEmpty();
    }

    private static List<String> words(Map<String, String> attributes, String name) {
        String text = attributes.getOrDefault(name, "").strip();
        require(!text.isEmpty() || !attributes.containsKey(name), name + "=''", "words separated by blanks");
        List<String> words = new ArrayList<>();
        for (StringTokenizer tokens = new StringTokenizer(text); tokens.hasMoreTokens(); ) {
            words.add(tokens.nextToken());
        }
        return words;
    }

    /** Whether {@code text} consists of letters, digits and some punctuation. Each start asks, so without a regex. */
    private static boolean isName(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (!Character.isLetterOrDigit(text.charAt(i)) && PUNCTUATION.indexOf(text.charAt(i)) < 0) {
                return false;
            }
        }
        return true;
    }

    private static void require(boolean isMet, String found, String rule) {
        if (!isMet) {
            throw new IllegalArgumentException("'" + found + "' (expected: " + rule + ")");
        }
    }
}
