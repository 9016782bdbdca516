package dev.hearth.kubernetes.internal.api;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Label selectors of the forms {@code a=b}, {@code a!=b} and {@code a in (b,c)}, parsed once. Owned by {@link SimulatedApiServer}. */
final class LabelSelectors {
    private final Map<String, List<Term>> parsed = new LinkedHashMap<>();

    /** Demand on the value of one label; a label that is missing has the empty value. */
    private record Term(String label, boolean equal, Set<String> values) {
        boolean matches(Map<String, String> labels) {
            return values.contains(labels.getOrDefault(label, "")) == equal;
        }
    }

    boolean matches(String selector, Map<String, String> labels) {
        for (Term term : parsed.computeIfAbsent(selector, LabelSelectors::terms)) {
            if (!term.matches(labels)) {
                return false;
            }
        }
        return true;
    }

    private static List<Term> terms(String selector) {
        List<Term> terms = new ArrayList<>();
        for (String text : selector.split(",(?![^(]*\\))", -1)) {
            int in = text.indexOf(" in (");
            boolean equal = !text.contains("!=");
            String[] pair = in > 0
                    ? new String[] {text.substring(0, in), text.substring(in + 5, text.length() - 1)}
                    : text.split(equal ? "=" : "!=", 2);
            terms.add(new Term(pair[0], equal, new LinkedHashSet<>(List.of(pair[1].split(",", -1)))));
        }
        return terms;
    }
}
