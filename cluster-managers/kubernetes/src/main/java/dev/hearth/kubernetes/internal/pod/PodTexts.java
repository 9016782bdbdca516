package dev.hearth.kubernetes.internal.pod;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Texts of pods that differ in the numbers of their executors alone. The pods of two numbers show where the number is; the texts of
 * others are put together from theirs. Remembers the latest kind of pod. Thread-safe.
 */
final class PodTexts {
    private static final int DIGITS_MAX = 18; // of a long with equal digits

    private final AtomicReference<@Nullable Kept> last = new AtomicReference<>();

    /** Pods of one kind whose numbers have equally many digits; {@code parts} are empty until there is a second one. */
    private record Kept(Object kind, int digits, Optional<List<String>> parts, boolean tried) {
        boolean isOf(Object other, int count) {
            return digits == count && kind.equals(other);
        }
    }

    /** The text of {@code pod} for a number; pods of an equal {@code kind} differ in their numbers alone. */
    String of(Object kind, long number, LongFunction<String> pod) {
        String digits = String.valueOf(number);
        Kept kept = last.get();
        if (kept == null || !kept.isOf(kind, digits.length())) {
            last.set(new Kept(kind, digits.length(), Optional.empty(), false));
            return pod.apply(number);
        }
        if (!kept.tried) {
            kept = new Kept(kind, digits.length(), parts(digits.length(), pod), true);
            last.set(kept);
        }
        return kept.parts.map(parts -> String.join(digits, parts)).orElseGet(() -> pod.apply(number));
    }

    /** The parts of the text of a pod around its numbers; empty if pods differ in other ways. */
    private static Optional<List<String>> parts(int digits, LongFunction<String> pod) {
        if (digits > DIGITS_MAX) {
            return Optional.empty();
        }
        String ones = "1".repeat(digits);
        String twos = "2".repeat(digits);
        String one = pod.apply(Long.parseLong(ones));
        String two = pod.apply(Long.parseLong(twos));
        if (one.length() != two.length()) {
            return Optional.empty();
        }
        List<String> parts = new ArrayList<>();
        int begin = 0;
        for (int i = 0; i < one.length(); i++) {
            if (one.charAt(i) != two.charAt(i)) {
                if (!one.startsWith(ones, i) || !two.startsWith(twos, i)) {
                    return Optional.empty();
                }
                parts.add(one.substring(begin, i));
                begin = i + digits;
                i = begin - 1;
            }
        }
        parts.add(one.substring(begin));
        return Optional.of(List.copyOf(parts));
    }
}
