package dev.hearth.kernel.internal.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OrdersTest {
    @Test
    void travelUnchangedAndInOrder() throws IOException {
        Map<String, String> orders = new LinkedHashMap<>();
        orders.put("z", "first");
        orders.put("a key: with=all !# \\", " leading and trailing \t\r\n\f ");
        orders.put(".", ".");
        orders.put("umlaut ü", "\u20ac \ud83d\ude00 \\u0041");
        orders.put("empty", "");
        orders.put("", "nameless");
        Map<String, String> read = read(Orders.write(orders));
        assertEquals(orders, read);
        assertEquals(List.copyOf(orders.keySet()), new ArrayList<>(read.keySet()));
    }

    @Test
    void mayBeWrittenByHandAndMayBeNone() throws IOException {
        assertEquals(Map.of("key", "value", "other", "1"), read("# note\nkey = value\n\nother=1\n.\nignored=1\n"));
        assertEquals(Map.of(), read(Orders.write(Map.of())));
    }

    @Test
    void mustBeComplete() {
        assertThrows(EOFException.class, () -> read("key=value\n"));
    }

    private static Map<String, String> read(String text) throws IOException {
        return Orders.read(new BufferedReader(new StringReader(text)));
    }
}
