package dev.hearth.engine.internal.serializer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.engine.internal.closure.UserObjectSerializer;
import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Classes of an application's own class loader, which cannot see Hearth's classes and is unloaded with the application.
 */
class RecordLoaderTest {
    private static final int COLLECTIONS_MAX = 100;
    private static final long COLLECTION_WAIT_MILLIS = 100;

    /** A user class that refers only to the JDK. */
    public static final class Remote implements Serializable, Comparable<Remote> {
        private static final long serialVersionUID = 1L;
        private final int number;
        private final String text;
        private final List<Remote> others = new ArrayList<>();

        public Remote(int number, String text) {
            this.number = number;
            this.text = text;
        }

        @Override
        public int compareTo(Remote other) {
            return Integer.compare(number, other.number);
        }

        @Override
        public String toString() {
            return number + text + others.size();
        }
    }

    /** A user record. */
    public record Row(long at, Object remote) implements Serializable {
        private static final long serialVersionUID = 1L;
    }

    private static final class Isolated extends ClassLoader {
        Isolated() {
            super(ClassLoader.getPlatformClassLoader());
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            if (!name.startsWith(RecordLoaderTest.class.getName())) {
                throw new ClassNotFoundException(name);
            }
            try (InputStream in =
                    RecordLoaderTest.class.getResourceAsStream(name.substring(name.lastIndexOf('.') + 1) + ".class")) {
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException failure) {
                throw new ClassNotFoundException(name, failure);
            }
        }
    }

    private static Object remote(ClassLoader loader) throws ReflectiveOperationException {
        return loader.loadClass(Remote.class.getName())
                .getConstructor(int.class, String.class)
                .newInstance(5, "text");
    }

    private static Object row(ClassLoader loader) throws ReflectiveOperationException {
        return loader.loadClass(Row.class.getName())
                .getConstructor(long.class, Object.class)
                .newInstance(7L, remote(loader));
    }

    @Test
    void roundTripsClassesThatDoNotSeeHearth() throws Exception {
        Isolated loader = new Isolated();
        RecordRoundTrip hand = new RecordRoundTrip(loader);
        Object row = row(loader);
        assertNotSame(Row.class, row.getClass());
        Object back = hand.copy(row);
        assertSame(row.getClass(), back.getClass());
        assertEquals(row.toString(), back.toString());

        TypeSerializerRegistry serializers =
                new TypeSerializerRegistry(new UserObjectSerializer(loader), new ClassIdTable());
        for (Object object : List.of(row, remote(loader))) {
            assertEquals(
                    "GeneratedSerializer",
                    serializers.of(object.getClass()).getClass().getSimpleName());
        }
        byte[] bytes = hand.write(new ArrayList<>(List.of(row)));
        List<?> here =
                (List<?>) RecordRoundTrip.read(new RecordRoundTrip().records.reader(hand.records.names()), bytes);
        assertSame(Row.class, here.get(0).getClass());
    }

    /** A class whose field has another type in another version of the jar. */
    @SuppressWarnings("UnusedVariable") // only its layout counts
    private static final class Versioned implements Serializable {
        private static final long serialVersionUID = 1L;
        private Integer value;
    }

    @Test
    void distinguishesVersionsOfAClassByTheTypesOfItsFields() throws Exception {
        ClassLoader other = new ClassLoader(getClass().getClassLoader()) {
            @Override
            protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
                return name.equals(Versioned.class.getName()) ? findClass(name) : super.loadClass(name, resolve);
            }

            @Override
            protected Class<?> findClass(String name) {
                byte[] bytes = withOtherFieldType(name);
                return defineClass(name, bytes, 0, bytes.length);
            }
        };
        Class<?> changed = other.loadClass(Versioned.class.getName());
        assertEquals(Boolean.class, changed.getDeclaredField("value").getType());
        assertNotEquals(
                FieldLayout.of(Versioned.class).fingerprint(),
                FieldLayout.of(changed).fingerprint());
    }

    private static byte[] withOtherFieldType(String name) {
        try (InputStream in =
                RecordLoaderTest.class.getResourceAsStream(name.substring(name.lastIndexOf('.') + 1) + ".class")) {
            String bytes = new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
            return bytes.replace("Ljava/lang/Integer;", "Ljava/lang/Boolean;").getBytes(StandardCharsets.ISO_8859_1);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Test
    void doesNotPreventUnloading() throws Exception {
        ReferenceQueue<ClassLoader> collected = new ReferenceQueue<>();
        WeakReference<ClassLoader> loader = useOnce(collected);
        for (int i = 0; i < COLLECTIONS_MAX && collected.remove(COLLECTION_WAIT_MILLIS) == null; i++) {
            System.gc();
        }
        assertTrue(loader.refersTo(null), "generated code still refers to the loader");
    }

    private static WeakReference<ClassLoader> useOnce(ReferenceQueue<ClassLoader> collected) throws Exception {
        Isolated loader = new Isolated();
        RecordRoundTrip hand = new RecordRoundTrip(loader);
        Object row = row(loader);
        assertEquals(row.toString(), hand.copy(row).toString());
        return new WeakReference<>(loader, collected);
    }
}
