package dev.hearth.engine.internal.serializer;

import dev.hearth.spi.error.ErrorCode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Assigns the class numbers of one application in the order in which they are requested. Numbers are never removed.
 * Thread-safe, guarded by its own lock.
 */
public final class ClassIdTable implements ClassIds {
    private static final int CLASSES_MAX = 1 << 20;

    private final Map<String, Integer> numbers = new LinkedHashMap<>();
    private final List<String> entries = new ArrayList<>();

    @Override
    public synchronized int number(String entry) {
        Integer known = numbers.get(entry);
        if (known != null) {
            return known;
        }
        if (entries.size() >= CLASSES_MAX) {
            throw ErrorCode.NOT_SERIALIZABLE.failure("record: more than " + CLASSES_MAX
                    + " classes in one application (expected: at most that many); do not generate classes for data");
        }
        numbers.put(entry, entries.size());
        entries.add(entry);
        return entries.size() - 1;
    }

    @Override
    public synchronized Optional<String> entry(int number) {
        return number < 0 || number >= entries.size() ? Optional.empty() : Optional.of(entries.get(number));
    }
}
