package dev.hearth.kubernetes.internal.api;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Label selectors of the forms {@code a=b} and {@code a in (b,c)}, parsed once. Owned by {@link SimulatedApiServer}. */
final class LabelSelectors {
    private final Map<String, Map<String, Set<String>>> parsed = new LinkedHashMap<>();

    boolean matches(String selector, Map<String, String> labels) {
        for (Map.Entry<String, Set<String>> term :
                parsed.computeIfAbsent(selector, LabelSelectors::terms).entrySet()) {
            if (!term.getValue().contains(labels.getOrDefault(term.getKey(), ""))) {
                return false;
            }
        }
        return true;
    }

    private static Map<String, Set<String>> terms(String selector) {
        Map<String, Set<String>> terms = new LinkedHashMap<>();
        for (String term : selector.split(",(?![^(]*\\))", -1)) {
            int in = term.indexOf(" in (");
            String[] pair = in > 0
                    ? new String[] {term.substring(0, in), term.substring(in + 5, term.length() - 1)}
                    : term.split("=", 2);
            terms.put(pair[0], new LinkedHashSet<>(List.of(pair[1].split(",", -1))));
        }
        return terms;
    }
}
