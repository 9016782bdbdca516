package dev.hearth.engine.internal.driver.session;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.hearth.api.BarrierRdd;
import dev.hearth.api.DoubleRdd;
import dev.hearth.api.PairActions;
import dev.hearth.api.PairJoins;
import dev.hearth.api.PairRdd;
import dev.hearth.api.Rdd;
import dev.hearth.api.RddActions;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks in the class files that the property tests call every operation of datasets. */
class EveryOperationTest {
    private static final List<Class<?>> DATASETS = List.of(
            Rdd.class,
            RddActions.class,
            PairRdd.class,
            PairActions.class,
            PairJoins.class,
            DoubleRdd.class,
            BarrierRdd.class);
    private static final List<Class<?>> PROPERTIES = List.of(
            NarrowOperationsTest.class,
            MixedOperationsTest.class,
            KeyedOperationsTest.class,
            ActionsTest.class,
            PersistedOperationsTest.class,
            RandomDataset.class);
    private static final int MAGIC = 0xCAFEBABE;

    @Test
    void isCalledByAProperty() throws IOException {
        Set<String> called = new TreeSet<>();
        for (Class<?> properties : PROPERTIES) {
            for (Class<?> nested : properties.getNestMembers()) {
                called.addAll(operations(nested));
            }
        }
        Set<String> missing = DATASETS.stream()
                .flatMap(dataset -> Stream.of(dataset.getDeclaredMethods()))
                .filter(method -> Modifier.isPublic(method.getModifiers()) && !method.isSynthetic())
                .map(Method::getName)
                .collect(Collectors.toCollection(TreeSet::new));
        missing.remove("gather"); // for engines: every join uses it
        missing.removeAll(called);
        assertEquals(Set.of(), missing, "operations that no property calls");
    }

    /** The methods of datasets that a class refers to. */
    private static Set<String> operations(Class<?> type) throws IOException {
        String file = type.getName().substring(type.getPackageName().length() + 1) + ".class";
        try (InputStream bytes = Objects.requireNonNull(type.getResourceAsStream(file));
                DataInputStream in = new DataInputStream(bytes)) {
            assertEquals(MAGIC, in.readInt());
            in.skipNBytes(4); // the version
            return new Constants(in).operations();
        }
    }

    /** The constant pool of a class file. */
    private static final class Constants {
        private static final int TEXT = 1;
        private static final int CLASS = 7;
        private static final int INTERFACE_METHOD = 11;
        private static final int NAME_AND_TYPE = 12;

        private final Map<Integer, String> texts = new HashMap<>();
        private final Map<Integer, Integer> first = new HashMap<>(); // the first constant that a constant refers to
        private final Map<Integer, Integer> methods = new HashMap<>(); // index of the class to index of name and type

        Constants(DataInputStream in) throws IOException {
            int count = in.readUnsignedShort();
            for (int at = 1; at < count; at++) {
                int kind = in.readUnsignedByte();
                switch (kind) {
                    case TEXT -> texts.put(at, in.readUTF());
                    case CLASS, 8, 16, 19, 20 -> first.put(at, in.readUnsignedShort());
                    case INTERFACE_METHOD -> {
                        first.put(at, in.readUnsignedShort());
                        methods.put(at, in.readUnsignedShort());
                    }
                    case NAME_AND_TYPE -> {
                        first.put(at, in.readUnsignedShort());
                        in.skipNBytes(2);
                    }
                    case 3, 4, 9, 10, 17, 18 -> in.skipNBytes(4);
                    case 5, 6 -> {
                        in.skipNBytes(8);
                        at++; // these take two indexes
                    }
                    case 15 -> in.skipNBytes(3);
                    default -> throw new IOException("constant " + at + ": of kind " + kind);
                }
            }
        }

        Set<String> operations() {
            Set<String> datasets = DATASETS.stream()
                    .map(dataset -> dataset.getName().replace('.', '/'))
                    .collect(Collectors.toSet());
            return methods.entrySet().stream()
                    .filter(method -> datasets.contains(texts.get(first.get(first.get(method.getKey())))))
                    .map(method -> texts.get(first.get(method.getValue())))
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }
}
