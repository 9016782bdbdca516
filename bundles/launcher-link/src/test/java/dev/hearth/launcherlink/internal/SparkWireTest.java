package dev.hearth.launcherlink.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.Random;
import org.apache.spark.launcher.SparkAppHandle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Reads what is written with the classes of Spark's launcher, and the other way round. */
class SparkWireTest {
    private static final String PROTOCOL = "org.apache.spark.launcher.LauncherProtocol$";

    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private final SparkWire wire = new SparkWire(new ByteArrayInputStream(new byte[0]), written);

    @Test
    void writesWhatSparksLauncherReads() throws Exception {
        wire.hello("the secret", "0.1.0");
        wire.state(LaunchedState.SUBMITTED);
        wire.application("app-1");
        wire.submission("driver-1");
        wire.end("TASK_FAILED", "no such message");
        wire.state(LaunchedState.FAILED);

        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(written.toByteArray()))) {
            Object hello = in.readObject();
            assertEquals(PROTOCOL + "Hello", hello.getClass().getName());
            assertEquals("the secret", value(hello, "secret"));
            assertEquals("0.1.0", value(hello, "sparkVersion"));
            assertEquals(SparkAppHandle.State.SUBMITTED, value(in.readObject(), "state"));
            assertEquals("app-1", value(in.readObject(), "appId"));
            assertEquals("driver-1", value(in.readObject(), "appId"));
            assertEquals(SparkAppHandle.State.FAILED, value(in.readObject(), "state"));
            assertEquals(-1, in.read());
        }
    }

    @ParameterizedTest
    @EnumSource(LaunchedState.class)
    void knowsEachStateByItsName(LaunchedState state) {
        SparkAppHandle.State theirs = SparkAppHandle.State.valueOf(state.name());

        assertEquals(theirs.isFinal(), state.isFinal());
    }

    @Test
    void readsTheRequestToStop() throws Exception {
        assertTrue(reading(serialised(message("Stop"))).awaitStop());
    }

    @Test
    void obeysNothingElse() throws Exception {
        assertFalse(reading(serialised(message("SetAppId", "app-1"))).awaitStop());
        assertFalse(reading(serialised("stop")).awaitStop());
        assertFalse(reading(new byte[0]).awaitStop());
        byte[] stop = serialised(message("Stop"));
        for (int length = 0; length < 6 + 2 + (PROTOCOL + "Stop").length(); length++) {
            byte[] cut = Arrays.copyOf(stop, length);
            assertFalse(reading(cut).awaitStop(), "the first " + length + " bytes");
        }
    }

    @Test
    void survivesAnyBytes() throws IOException {
        Random random = new Random(20261119);
        for (int i = 0; i < 2_000; i++) {
            byte[] bytes = new byte[random.nextInt(200)];
            random.nextBytes(bytes);
            if (bytes.length > 6) { // deeper into the parser
                System.arraycopy(new byte[] {(byte) 0xac, (byte) 0xed, 0, 5, 0x73, 0x72}, 0, bytes, 0, 6);
            }
            boolean stops;
            try {
                stops = reading(bytes).awaitStop();
            } catch (IOException malformed) {
                stops = false;
            }
            assertFalse(stops);
        }
    }

    @Test
    void knowsTheVersionsOfTheClasses() throws Exception {
        assertEquals(-5003164482046097355L, version("Message"));
        assertEquals(9176922929317261517L, version("Hello"));
        assertEquals(1695274999092510280L, version("SetAppId"));
        assertEquals(-1192011395149543032L, version("SetState"));
    }

    private static long version(String name) throws ClassNotFoundException {
        return ObjectStreamClass.lookup(Class.forName(PROTOCOL + name)).getSerialVersionUID();
    }

    private static SparkWire reading(byte[] bytes) {
        return new SparkWire(new ByteArrayInputStream(bytes), new ByteArrayOutputStream());
    }

    private static Object message(String name, Object... values) throws ReflectiveOperationException {
        Constructor<?> constructor = Class.forName(PROTOCOL + name).getDeclaredConstructors()[0];
        constructor.setAccessible(true);
        return constructor.newInstance(values);
    }

    private static byte[] serialised(Object object) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(object);
        }
        return bytes.toByteArray();
    }

    private static Object value(Object message, String field) throws ReflectiveOperationException {
        Field found = message.getClass().getDeclaredField(field);
        found.setAccessible(true);
        return found.get(message);
    }
}
