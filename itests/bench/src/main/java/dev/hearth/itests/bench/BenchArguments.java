package dev.hearth.itests.bench;

import dev.hearth.api.HearthContext;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Arguments of a program: a role, then {@code key=value}. Immutable. */
record BenchArguments(Role role, Map<String, String> values) {
    private static final int CALLS = 20_000;
    private static final int REPETITIONS = 3;
    private static final String WORKS = "ask";

    BenchArguments {
        values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    }

    static BenchArguments of(String[] words) {
        Map<String, String> values = new LinkedHashMap<>();
        for (int i = 1; i < words.length; i++) {
            int equals = words[i].indexOf('=');
            if (equals < 1) {
                throw new IllegalArgumentException(
                        "argument " + (i + 1) + ": '" + words[i] + "' (expected: key=value)");
            }
            values.put(words[i].substring(0, equals), words[i].substring(equals + 1));
        }
        if (words.length == 0) {
            throw new IllegalArgumentException("arguments: none (expected: server or client, then key=value)");
        }
        return new BenchArguments(words[0].equals("server") ? Role.SERVER : Role.CLIENT, values);
    }

    int port() {
        return Integer.parseInt(text("port", "17990"));
    }

    /** How many calls of one repetition with one in flight; other works do a multiple of it. */
    int calls() {
        return Integer.parseInt(text("calls", String.valueOf(CALLS)));
    }

    /** Warm repetitions; a cold one, number 0, goes before. */
    int repetitions() {
        return Integer.parseInt(text("reps", String.valueOf(REPETITIONS)));
    }

    /** Work of the client, in this order. */
    List<String> works() {
        return List.of(text("works", WORKS).split("\\+"));
    }

    /** A context as it was asked for: {@code master}, on the two cores of this process without it. */
    HearthContext open(String name) {
        return HearthContext.builder()
                .name(name)
                .master(text("master", "local[2]"))
                .open();
    }

    String text(String key, String otherwise) {
        return values.getOrDefault(key, otherwise);
    }

    /** Which of the two processes this is. */
    enum Role {
        SERVER,
        CLIENT
    }
}
