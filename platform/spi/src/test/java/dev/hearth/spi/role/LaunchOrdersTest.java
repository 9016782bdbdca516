package dev.hearth.spi.role;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ErrorCode;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Text of launch orders, and the variables that they refer to. */
class LaunchOrdersTest {
    @Test
    void travelUnchangedAndInOrder() throws IOException {
        Map<String, String> orders = new LinkedHashMap<>();
        orders.put("z", "first");
        orders.put("a key: with=all !# \\", " leading and trailing \t\r\n\f ");
        orders.put(".", ".");
        orders.put("umlaut ü", "\u20ac \ud83d\ude00 \\u0041");
        orders.put("empty", "");
        orders.put("", "nameless");
        Map<String, String> read = read(LaunchOrders.of(orders).text());
        assertEquals(orders, read);
        assertEquals(List.copyOf(orders.keySet()), new ArrayList<>(read.keySet()));
    }

    @Test
    void mayBeWrittenByHandAndMayBeNone() throws IOException {
        assertEquals(Map.of("key", "value", "other", "1"), read("# note\nkey = value\n\nother=1\n.\nignored=1\n"));
        assertEquals(Map.of(), read(LaunchOrders.of(Map.of()).text()));
    }

    @Test
    void fillInVariablesForMarkedKeysAlone() throws IOException {
        Map<String, String> values = new LinkedHashMap<>();
        values.put("hearth.executor.id", "e-${env:ORDINAL}");
        values.put("hearth.executor.address", "${env:POD_IP}");
        values.put("hearth.app.name", "${env:SECRET}");
        values.put("literal", "$${env:POD_IP} ${other} $1 \\ ${env:}");
        LaunchOrders orders = parse(new LaunchOrders(
                        values,
                        new LinkedHashSet<>(List.of("hearth.executor.id", "hearth.executor.address", "literal")))
                .text());
        assertEquals(values, orders.values());
        Map<String, String> variables = Map.of("ORDINAL", "7", "POD_IP", "fd00::1$0", "SECRET", "x");
        Map<String, String> resolved = orders.resolved(name -> Optional.ofNullable(variables.get(name)));
        assertEquals("e-7", resolved.get("hearth.executor.id"));
        assertEquals("fd00::1$0", resolved.get("hearth.executor.address"));
        assertEquals("${env:SECRET}", resolved.get("hearth.app.name"));
        assertEquals("${env:POD_IP} ${other} $1 \\ ${env:}", resolved.get("literal"));
    }

    @Test
    void nameTheVariableThatIsNotSet() throws IOException {
        LaunchOrders orders = new LaunchOrders(Map.of("key", "${env:GONE}"), Set.of("key"));
        HearthException failure = assertThrows(HearthException.class, () -> orders.resolved(name -> Optional.empty()));
        assertEquals(ErrorCode.START_FAILED.name(), failure.code());
        assertTrue(String.valueOf(failure.getMessage())
                .startsWith("start parameter key: refers to the environment" + " variable GONE, which is not set"));
    }

    @Test
    void areMarkedByTheirWriterAndNotByASetting() {
        LaunchOrders orders = LaunchOrders.of(Map.of("a", "${env:X}", LaunchOrders.ENVIRONMENT_KEYS, "a"));
        assertEquals(Map.of("a", "${env:X}"), orders.values());
        assertEquals("a=${env\\:X}\n.\n", orders.text());
        assertThrows(HearthException.class, () -> new LaunchOrders(Map.of("a", "1"), Set.of("b")));
        assertThrows(HearthException.class, () -> new LaunchOrders(Map.of("a,b", "1"), Set.of("a,b")));
        assertThrows(HearthException.class, () -> read("a=1\nhearth.orders.environment=a,\n.\n"));
        assertThrows(HearthException.class, () -> read("a=\\u12\n.\n"));
    }

    @Test
    void showNoValues() {
        assertEquals("orders [a]", LaunchOrders.of(Map.of("a", "secret")).toString());
    }

    @Test
    void mustBeComplete() {
        assertThrows(EOFException.class, () -> read("key=value\n"));
    }

    private static Map<String, String> read(String text) throws IOException {
        return parse(text).values();
    }

    private static LaunchOrders parse(String text) throws IOException {
        return LaunchOrders.read(new BufferedReader(new StringReader(text)));
    }
}
