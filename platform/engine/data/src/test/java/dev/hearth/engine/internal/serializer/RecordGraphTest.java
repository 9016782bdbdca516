package dev.hearth.engine.internal.serializer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.api.Pair;
import dev.hearth.engine.internal.closure.UserObjectSerializer;
import dev.hearth.engine.internal.serializer.UserClassesTest.Custom;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Object identity and cycles within a record are preserved. */
@SuppressWarnings("JavaUtilDate") // user programs contain such values
class RecordGraphTest {
    private static final int GRAPHS = 400; // per seed
    private static final int OBJECTS_MAX = 40; // per graph
    private static final int CHAIN = 100_000;

    private final RecordRoundTrip hand = new RecordRoundTrip();

    static class Node implements Serializable {
        private static final long serialVersionUID = 1L;
        int id;
        final String name;
        Object first;
        private Node next;
        final List<Object> others = new ArrayList<>();

        Node(int id) {
            this.id = id;
            this.name = "node " + id;
        }

        Node next() {
            return next;
        }
    }

    static final class Lower extends Node {
        private static final long serialVersionUID = 1L;
        Object[] array = {};

        Lower(int id) {
            super(id);
        }
    }

    private record Couple(Object left, Object right) implements Serializable {
        private static final long serialVersionUID = 1L;
    }

    private record Value(int x, String y) implements Serializable {
        private static final long serialVersionUID = 1L;
    }

    @Test
    void preservesIdentity() {
        List<Object> shared = new ArrayList<>(List.of(1));
        Object[] back = (Object[]) hand.copy(new Object[] {shared, shared, Pair.of(shared, List.of(shared))});
        assertSame(back[0], back[1]);
        assertSame(back[0], ((Pair<?, ?>) back[2]).key());
        assertSame(back[0], ((List<?>) ((Pair<?, ?>) back[2]).value()).get(0));
        Pair<?, ?> pair = Pair.of(shared, 1);
        Object[] pairs = (Object[]) hand.copy(new Object[] {pair, pair});
        assertSame(pairs[0], pairs[1]);
    }

    /** Its readResolve returns null. */
    private static final class ResolvedToNull implements Serializable {
        private static final long serialVersionUID = 1L;

        @SuppressWarnings("unused") // called by serialisation
        private @Nullable Object readResolve() {
            return null;
        }
    }

    @Test
    void supportsReferencesToAnObjectResolvedToNull() {
        ResolvedToNull resolvedToNull = new ResolvedToNull();
        Object[] back = (Object[]) hand.copy(new Object[] {resolvedToNull, resolvedToNull, 1});
        assertArrayEquals(new Object[] {null, null, 1}, back);
    }

    @Test
    void resetsItsStateAfterEachRecord() {
        List<Object> shared = new ArrayList<>(List.of(1));
        assertEquals(hand.write(Pair.of(shared, shared)).length, hand.write(Pair.of(shared, shared)).length);
        assertNotSame(hand.copy(shared), hand.copy(shared));
        assertThrows(HearthException.class, () -> hand.write(Pair.of(shared, new Thread())));
        assertEquals(Pair.of(shared, shared), hand.copy(Pair.of(shared, shared)));
    }

    @Test
    void preservesCycles() {
        Node node = new Node(1);
        node.next = node;
        node.first = new Object[] {node, null};
        ((Object[]) node.first)[1] = node.first;
        Node back = (Node) hand.copy(node);
        assertSame(back, back.next);
        assertSame(back, ((Object[]) back.first)[0]);
        assertSame(back.first, ((Object[]) back.first)[1]);

        List<Object> list = new ArrayList<>();
        list.add(list);
        List<?> self = (List<?>) hand.copy(list);
        assertSame(self, self.get(0));
        Map<String, Object> map = new HashMap<>();
        map.put("me", map);
        Map<?, ?> copy = (Map<?, ?>) hand.copy(map);
        assertSame(copy, copy.get("me"));
        TreeMap<String, Object> tree = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        tree.put("me", tree);
        TreeMap<?, ?> sorted = (TreeMap<?, ?>) hand.copy(tree);
        assertSame(sorted, sorted.get("ME"));
    }

    @Test
    void rejectsARecordThatContainsItself() {
        List<Object> list = new ArrayList<>();
        Couple couple = new Couple(list, null);
        list.add(couple);
        for (Object root : List.of(couple, new Object[] {1, couple}, Pair.of(couple, 1))) {
            HearthException failure = assertThrows(HearthException.class, () -> hand.write(root));
            assertEquals("NOT_SERIALIZABLE", failure.code());
            assertTrue(failure.getMessage().contains("contains itself"), failure.getMessage());
        }
        assertEquals("after", hand.copy("after"));
    }

    @Test
    void preservesIdentityAcrossJavaSerialisation() {
        int[] shared = {1};
        for (Object[] both : List.of(new Object[] {new Custom(1, shared), shared}, new Object[] {
            new Custom(1, List.of("x", shared)), new Custom(2, shared)
        })) {
            Object[] back = (Object[]) hand.copy(both);
            assertSame(array(back[0]), array(back[1]));
        }
        Object[] first = (Object[]) hand.copy(new Object[] {shared, new Custom(1, shared)});
        assertSame(first[0], ((Custom) first[1]).held);
        Node node = new Node(1);
        node.first = new Custom(2, node);
        Node back = (Node) hand.copy(node);
        assertSame(back, ((Custom) back.first).held);
        Custom custom = new Custom(1, "text");
        Object[] twice = (Object[]) hand.copy(new Object[] {custom, "text", custom});
        assertSame(twice[0], twice[2]);
    }

    private static Object array(Object value) {
        Object at = value;
        while (!(at instanceof int[])) {
            at = at instanceof Custom custom ? custom.held : ((List<?>) at).get(1);
        }
        return at;
    }

    @Test
    void rejectsChainsThatAreTooDeep() {
        Node chain = null;
        for (int i = 0; i < CHAIN; i++) {
            Node node = new Node(i);
            node.next = chain;
            chain = node;
        }
        RecordOutput out = new RecordOutput(16);
        out.writeByte(1);
        Node deep = chain;
        HearthException failure = assertThrows(HearthException.class, () -> hand.writer.write(deep, out));
        assertEquals("NOT_SERIALIZABLE", failure.code());
        assertTrue(failure.getMessage().contains("nested too deep"), failure.getMessage());
        assertEquals(1, out.position());
        Node last = deep;
        for (int i = 0; i < RecordWriter.DEPTH_MAX / 2 - 2; i++) { // each node also has a list
            last = last.next;
        }
        last.next = null;
        assertEquals(deep.id, ((Node) hand.copy(deep)).id);
    }

    @Test
    void writesManyObjects() {
        List<Object> all = new ArrayList<>();
        for (int i = 0; i < 50_000; i++) {
            all.add(new Node(i));
        }
        for (int i = 0; i < 50_000; i++) {
            ((Node) all.get(i)).first = all.get(i / 2);
        }
        List<?> back = (List<?>) hand.copy(all);
        for (int i = 0; i < 50_000; i++) {
            assertSame(back.get(i / 2), ((Node) back.get(i)).first);
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 42})
    void copiesGraphsAsJavaSerialisationDoes(long seed) {
        UserObjectSerializer java = new UserObjectSerializer(getClass().getClassLoader());
        Random random = new Random(seed);
        for (int i = 0; i < GRAPHS; i++) {
            Object root = graph(random);
            String expected = describe(root);
            assertEquals(
                    expected, describe(java.read(java.write(root, "graph"), "graph")), "the test's own describing");
            assertEquals(expected, describe(hand.copy(root)), "graph " + i);
        }
    }

    /** Random object graph; records refer only to objects that were created before them and contain no records. */
    private static Object graph(Random random) {
        List<Object> plain =
                new ArrayList<>(Arrays.asList(null, 1, "text", 5L, 2.5, 'c', new Value(3, "v"), new Date(3)));
        plain.add(new int[] {random.nextInt()});
        plain.add(new ArrayList<>(List.of("a", 2)));
        List<Object> all = new ArrayList<>(plain);
        int objects = 1 + random.nextInt(OBJECTS_MAX);
        for (int i = 0; i < objects; i++) {
            all.add(randomObject(random, i, plain));
        }
        for (Object object : all) {
            if (object instanceof Node node) {
                node.first = randomElement(random, all);
                node.next = randomElement(random, all) instanceof Node other ? other : null;
                for (int i = random.nextInt(4); i > 0; i--) {
                    node.others.add(randomElement(random, all));
                }
            }
            if (object instanceof Lower lower) {
                lower.array = new Object[] {randomElement(random, all), randomElement(random, all)};
            } else if (object instanceof Custom custom) {
                custom.held = randomElement(random, all);
            } else if (object instanceof LinkedHashMap<?, ?>) {
                @SuppressWarnings("unchecked")
                Map<String, Object> map = (Map<String, Object>) object;
                map.put("a", randomElement(random, all));
                map.put(null, randomElement(random, all));
            }
        }
        return all.get(all.size() - 1 - random.nextInt(objects));
    }

    private static Object randomObject(Random random, int id, List<Object> plain) {
        return switch (random.nextInt(random.nextInt(3) == 0 ? 6 : 4)) {
            case 0 -> new Node(id);
            case 1 -> new Lower(id);
            case 2 -> new LinkedHashMap<>();
            case 3 -> new Couple(randomElement(random, plain), randomElement(random, plain));
            case 4 -> new Custom(0, null);
            default -> Pair.of(randomElement(random, plain), randomElement(random, plain));
        };
    }

    private static Object randomElement(Random random, List<Object> of) {
        return of.get(random.nextInt(of.size()));
    }

    private static String describe(Object root) {
        StringBuilder text = new StringBuilder();
        describe(root, new IdentityHashMap<>(), text);
        return text.toString();
    }

    private static void describe(Object object, Map<Object, Integer> seen, StringBuilder text) {
        if (object == null || object instanceof String || object instanceof Number || object instanceof Character) {
            text.append(object).append(' ');
            return;
        }
        if (!(object instanceof Value)) {
            Integer known = seen.putIfAbsent(object, seen.size());
            if (known != null) {
                text.append('#').append(known).append(' ');
                return;
            }
        }
        text.append(object.getClass().getSimpleName()).append('(');
        for (Object part : parts(object)) {
            describe(part, seen, text);
        }
        text.append(") ");
    }

    private static List<?> parts(Object object) {
        if (object instanceof Lower lower) {
            return Arrays.asList(lower.id, lower.name, lower.first, lower.next(), lower.others, lower.array);
        } else if (object instanceof Node node) {
            return Arrays.asList(node.id, node.name, node.first, node.next, node.others);
        } else if (object instanceof Custom custom) {
            return Arrays.asList(custom.doubled, custom.held);
        } else if (object instanceof Couple couple) {
            return Arrays.asList(couple.left, couple.right);
        } else if (object instanceof Pair<?, ?> pair) {
            return Arrays.asList(pair.key(), pair.value());
        } else if (object instanceof Value value) {
            return List.of(value.x, value.y);
        } else if (object instanceof Map<?, ?> map) {
            List<Object> parts = new ArrayList<>(map.keySet());
            parts.addAll(map.values());
            return parts;
        } else if (object instanceof int[] ints) {
            return List.of(ints[0]);
        } else if (object instanceof Date date) {
            return List.of(date.getTime());
        }
        return object instanceof Object[] array ? Arrays.asList(array) : (List<?>) object;
    }
}
