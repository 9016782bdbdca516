package dev.hearth.rpc.internal.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.rpc.internal.codec.foreign.ForeignProtocol;
import dev.hearth.spi.rpc.Protocol;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The compiled serializer equals the generic one, in bytes and in error texts, and is unloaded with its codec. */
class CompiledRecordSerializerTest {
    private static final int ROUNDS = 20_000;
    private static final int COLLECTIONS_MAX = 50;
    private static final long WAIT_MILLIS_MAX = 200;
    private static final List<Record> MESSAGES = List.of(
            Samples.everything(), Samples.bush(30), Samples.chain(40), new Samples.Nothing(), Samples.smalls(1));

    private final ProtocolCodec generic = new ProtocolCodec(Samples.PROTOCOL);
    private final ProtocolCodec compiled = new ProtocolCodec(Samples.PROTOCOL);

    CompiledRecordSerializerTest() {
        generic.stayGeneric();
        compiled.compile();
    }

    @Test
    void writesAndReadsTheSame() {
        for (Record message : MESSAGES) {
            byte[] bytes = Samples.encode(compiled, message);
            assertEquals(hex(Samples.encode(generic, message)), hex(bytes));
            assertEquals(message, Samples.decode(compiled, bytes));
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void findsTheSameFaultsInTheSameWords(long seed) {
        Random random = new Random(seed);
        List<byte[]> originals = MESSAGES.stream()
                .map(message -> Samples.encode(generic, message))
                .toList();
        int faults = 0;
        for (int round = 0; round < ROUNDS; round++) {
            byte[] bytes = originals.get(random.nextInt(originals.size()));
            bytes = Arrays.copyOf(bytes, random.nextInt(4) == 0 ? 1 + random.nextInt(bytes.length) : bytes.length);
            for (int change = random.nextInt(3); change >= 0; change--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            }
            String expected = outcome(generic, bytes);
            faults += expected.startsWith("fault") ? 1 : 0;
            assertEquals(expected, outcome(compiled, bytes), () -> "seed " + seed);
        }
        assertTrue(faults > 0 && faults < ROUNDS, faults + " faults: the test reaches one side only");
    }

    record Angry(int first, String second) {
        @Override
        public String second() {
            throw new IllegalStateException("as wished");
        }
    }

    record Strict(int before, String id) {
        Strict {
            if (id.isEmpty()) {
                throw new IllegalArgumentException("id: empty (expected: a name)");
            }
        }
    }

    record Numbers(List<Long> numbers) {}

    @Test
    @SuppressWarnings({"unchecked", "rawtypes"})
    void saysWhatRecordsThrewAndWhatIsNotAsDeclared() {
        ProtocolCodec codec = new ProtocolCodec(Samples.protocol(Angry.class, Strict.class, Numbers.class));
        Numbers polluted = new Numbers((List) List.of("a text"));
        List<String> faults = new ArrayList<>();
        for (int round = 0; round < 2; round++) {
            faults.add(fault(() -> Samples.encode(codec, new Angry(1, "a"))));
            faults.add(fault(() -> Samples.decode(codec, new byte[] {2, 2, 0})));
            faults.add(fault(() -> Samples.encode(codec, polluted)));
            codec.compile();
        }
        assertEquals(
                "protocol samples, Angry, Angry.second: its accessor threw java.lang.IllegalStateException: as wished",
                faults.get(0));
        assertEquals("protocol samples: Strict refused its content: id: empty (expected: a name)", faults.get(1));
        assertEquals(
                "protocol samples, Numbers, Numbers.numbers: an element of another type than declared"
                        + " (expected: the declared type)",
                faults.get(2));
        assertEquals(faults.subList(0, 3), faults.subList(3, 6));
    }

    @Test
    void compilesOnceWhatIsUsedALotAndNothingElse() {
        List<Runnable> compilations = new ArrayList<>();
        ProtocolCodec codec = new ProtocolCodec(Samples.PROTOCOL, compilations::add);
        Samples.Tree tree = Samples.bush(999); // 1,000 trees with its branches
        byte[] bytes = Samples.encode(codec, tree);
        int uses = 1_000;
        while (compilations.isEmpty()) {
            codec.decode(new WireInput(bytes, 0, bytes.length));
            uses += 1_000;
        }
        assertEquals(RecordCodec.USES_TO_COMPILE, uses);
        codec.decode(new WireInput(bytes, 0, bytes.length));
        assertEquals(1, compilations.size());
        compilations.get(0).run();
        assertEquals(tree, codec.decode(new WireInput(bytes, 0, bytes.length)));
        assertEquals(hex(bytes), hex(Samples.encode(codec, tree)));
    }

    @Test
    void reachesRecordsOfAnotherLoaderAndReleasesThem() throws Exception {
        ReferenceQueue<Object> gone = new ReferenceQueue<>();
        List<WeakReference<Object>> held = useInAnotherLoader(gone);
        int left = held.size();
        for (int round = 0; round < COLLECTIONS_MAX && left > 0; round++) {
            System.gc();
            Reference<?> collected = gone.remove(WAIT_MILLIS_MAX);
            while (collected != null) {
                left--;
                collected = gone.poll();
            }
        }
        assertEquals(
                0,
                left,
                () -> "held still: "
                        + held.stream()
                                .map(WeakReference::get)
                                .filter(each -> each != null)
                                .toList());
    }

    /**
     * Compiles and uses a protocol that only its loader references; returns references to what must be collected then.
     */
    private static List<WeakReference<Object>> useInAnotherLoader(ReferenceQueue<Object> gone) throws Exception {
        URL classes =
                ForeignProtocol.class.getProtectionDomain().getCodeSource().getLocation();
        try (URLClassLoader loader = new ForeignFirst(classes)) {
            Class<?> foreign = loader.loadClass(ForeignProtocol.class.getName());
            assertNotSame(ForeignProtocol.class, foreign);
            ProtocolCodec codec =
                    new ProtocolCodec((Protocol) foreign.getMethod("protocol").invoke(null));
            Record sample = (Record) foreign.getMethod("sample").invoke(null);
            assertSame(loader, sample.getClass().getClassLoader());
            String generic = hex(Samples.encode(codec, sample));
            codec.compile();
            byte[] bytes = Samples.encode(codec, sample);
            assertEquals(generic, hex(bytes));
            // Not by equals: the code that the JDK generates for it on first use may reference the records' loader.
            assertEquals(generic, hex(Samples.encode(codec, Samples.decode(codec, bytes))));
            return List.of(
                    new WeakReference<>(loader, gone),
                    new WeakReference<>(codec, gone),
                    new WeakReference<>(sample.getClass(), gone));
        }
    }

    private static String outcome(ProtocolCodec codec, byte[] bytes) {
        try {
            return Samples.decode(codec, bytes).toString();
        } catch (HearthException failure) {
            return "fault " + failure.getMessage();
        }
    }

    private static String fault(Runnable use) {
        String text = assertThrows(HearthException.class, use::run).getMessage();
        assertNotNull(text);
        assertFalse(text.isEmpty());
        return text;
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    /** Loads the foreign protocol itself, and other classes from the test's loader. */
    private static final class ForeignFirst extends URLClassLoader {
        ForeignFirst(URL classes) {
            super(new URL[] {classes}, CompiledRecordSerializerTest.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                if (!name.startsWith(ForeignProtocol.class.getPackageName() + ".")) {
                    return super.loadClass(name, resolve);
                }
                Class<?> loaded = findLoadedClass(name);
                return loaded != null ? loaded : findClass(name);
            }
        }
    }
}
