package dev.hearth.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.hearth.api.function.OrderFunction;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

class OrderFunctionTest {
    private static final List<String> WORDS = List.of("ccc", "a", "bb", "dd");

    @Test
    void ordersByKeysAndWhatFollows() {
        OrderFunction<String> byLength = OrderFunction.comparing(String::length);
        assertEquals(List.of("a", "bb", "dd", "ccc"), sorted(WORDS, byLength));
        assertEquals(List.of("ccc", "bb", "dd", "a"), sorted(WORDS, byLength.reversed()));
        assertEquals(byLength, byLength.reversed().reversed());
        assertEquals(
                List.of("a", "dd", "bb", "ccc"),
                sorted(WORDS, byLength.thenComparing((left, right) -> right.compareTo(left))));
        assertEquals(List.of("a", "dd", "bb", "ccc"), sorted(WORDS, byLength.thenComparing(Comparator.reverseOrder())));
        assertEquals(List.of("a", "bb", "dd", "ccc"), sorted(WORDS, byLength.thenComparing(word -> word.charAt(0))));
    }

    @Test
    void hasKeysThatAreNullFirst() {
        OrderFunction<String> byItself = OrderFunction.comparing(word -> word);
        assertEquals(Arrays.asList(null, "a", "b"), sorted(Arrays.asList("b", null, "a"), byItself));
        assertEquals(Arrays.asList("b", "a", null), sorted(Arrays.asList("b", null, "a"), byItself.reversed()));
    }

    @Test
    void travels() throws Exception {
        OrderFunction<String> order = OrderFunction.<String, Integer>comparing(String::length)
                .reversed()
                .thenComparing(word -> word.charAt(0))
                .thenComparing(Comparator.naturalOrder());
        assertEquals(sorted(WORDS, order), sorted(WORDS, copy(order)));
    }

    @Test
    void saysWhatAKeyThrew() {
        OrderFunction<String> failing = OrderFunction.<String, String>comparing(word -> {
            throw new IOException("no key of " + word);
        });
        HearthException failure = assertThrows(HearthException.class, () -> sorted(WORDS, failing));
        assertEquals("TASK_FAILED", failure.code());
    }

    private static List<String> sorted(List<String> words, Comparator<String> order) {
        return words.stream().sorted(order).toList();
    }

    @SuppressWarnings("unchecked") // the type that was serialised
    private static OrderFunction<String> copy(OrderFunction<String> order) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(order);
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            return (OrderFunction<String>) in.readObject();
        }
    }
}
