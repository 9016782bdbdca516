package dev.hearth.engine.internal.closure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.hearth.api.HearthException;
import dev.hearth.api.function.MapFunction;
import dev.hearth.spi.net.Bytes;
import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class UserObjectSerializerTest {
    private final UserObjectSerializer objects =
            new UserObjectSerializer(UserObjectSerializerTest.class.getClassLoader());

    private record Point(int x, List<String> names) implements Serializable {
        private static final long serialVersionUID = 1L;
    }

    @Test
    void roundTripsCommonValues() {
        for (Object value : new Object[] {
            1,
            2L,
            3.0,
            'c',
            true,
            "text",
            new int[] {1}.length,
            new BigDecimal("1.5"),
            Instant.EPOCH,
            TimeUnit.DAYS,
            new Point(1, List.of("a")),
            new ArrayList<>(List.of(1, "two")),
            Map.of("k", 1),
            new TreeMap<>(Map.of(1, 2)),
            new EnumMap<>(Map.of(TimeUnit.DAYS, "x")),
            new ConcurrentHashMap<>(Map.of(1, 2))
        }) {
            assertEquals(value, objects.read(objects.write(value, "value"), "value"));
        }
    }

    @Test
    void roundTripsLambdasWithCapturedValues() throws Exception {
        List<Integer> captured = new ArrayList<>(List.of(40));
        MapFunction<Integer, Integer> add = number -> number + captured.get(0);
        @SuppressWarnings("unchecked")
        MapFunction<Integer, Integer> back = (MapFunction<Integer, Integer>) objects.read(objects.write(add, "f"), "f");
        assertNotSame(add, back);
        captured.set(0, 0);
        assertEquals(42, back.apply(2), "captured values do not change with the original");
    }

    @Test
    void refusesClassesOutsideTheApplicationAndTheAllowedJdkClasses() {
        // serialisable and harmless, but a platform class that the filter does not list
        Bytes bytes = objects.write(new javax.management.BadAttributeValueExpException("x"), "value");
        UserObjectSerializer stranger = new UserObjectSerializer(ClassLoader.getPlatformClassLoader());
        HearthException failure = assertThrows(HearthException.class, () -> stranger.read(bytes, "value"));
        assertEquals("NOT_SERIALIZABLE", failure.code());
        HearthException foreign = assertThrows(
                HearthException.class, () -> stranger.read(objects.write(new Point(1, List.of()), "point"), "point"));
        assertEquals("CLASS_MISSING", foreign.code());
    }

    @Test
    void admitsClassesThatTheApplicationTakesFromABundle() throws Exception {
        ClassLoader bundle = new ClassLoader("bundle", ClassLoader.getPlatformClassLoader()) {
            @Override
            protected Class<?> findClass(String name) throws ClassNotFoundException {
                String file = name.replace('.', '/') + ".class";
                try (InputStream code =
                        UserObjectSerializerTest.class.getClassLoader().getResourceAsStream(file)) {
                    byte[] bytes = code.readAllBytes();
                    return defineClass(name, bytes, 0, bytes.length);
                } catch (IOException failure) {
                    throw new ClassNotFoundException(name, failure);
                }
            }
        };
        Class<?> lent = bundle.loadClass(Point.class.getName());
        ClassLoader asks = new ClassLoader("asks", ClassLoader.getPlatformClassLoader()) {
            @Override
            protected Class<?> findClass(String name) throws ClassNotFoundException {
                return bundle.loadClass(name);
            }
        };
        new UserObjectSerializer(asks).admit(lent, "point");
        UserObjectSerializer other = new UserObjectSerializer(new ClassLoader(ClassLoader.getPlatformClassLoader()) {});
        assertThrows(HearthException.class, () -> other.admit(lent, "point"));
        assertThrows(
                HearthException.class,
                () -> new UserObjectSerializer(asks)
                        .admit(javax.management.BadAttributeValueExpException.class, "platform"));
    }

    @Test
    void refusesGraphsThatAreTooDeep() {
        Object[] nested = {};
        for (int i = 0; i < 1_100; i++) {
            nested = new Object[] {nested};
        }
        Bytes bytes = objects.write(nested, "value");
        assertThrows(HearthException.class, () -> objects.read(bytes, "value"));
    }

    @Test
    void refusesBytesThatAreNoObject() {
        assertThrows(HearthException.class, () -> objects.read(Bytes.owning(new byte[] {1, 2, 3}), "value"));
    }
}
