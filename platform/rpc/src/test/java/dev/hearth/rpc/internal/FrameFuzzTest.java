package dev.hearth.rpc.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.hearth.rpc.internal.FuzzedConnection.Honest;
import dev.hearth.rpc.internal.codec.ProtocolCodec;
import dev.hearth.rpc.internal.codec.WireOutput;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.util.ResourceLeakDetector;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Feeds mutated frames of the corpus between honest ones: no crash, leak or memory growth, and honest messages arrive.
 * A failure prints the line that replays its block of frames. Frames that once caused a failure are added to the
 * corpus.
 */
class FrameFuzzTest {
    private static final int FRAMES = Integer.getInteger("hearth.fuzz.frames", 200_000);
    private static final long FIRST_SEED = Long.getLong("hearth.fuzz.seed", 1);
    private static final int BLOCK_FRAMES = 1_000;
    private static final int MUTATIONS_MAX = 4;
    private static final int ALLOCATION_FACTOR = 64;
    // the text of a fault, and the records of the leak detector
    private static final int ALLOCATION_BYTES_MAX = 512 * 1024;
    private static final int COLLECTIONS = 5;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final List<byte[]> corpus = corpus();
    // run between blocks, since compilation allocates too
    private final Queue<Runnable> compilations = new ArrayDeque<>();
    private final ProtocolCodec codec = new ProtocolCodec(FuzzedConnection.PROTOCOL, compilations::add);
    private final FrameWriter frames = new FrameWriter(1024);
    private final Queue<String> leaks = new ConcurrentLinkedQueue<>();
    private final ResourceLeakDetector.Level level = ResourceLeakDetector.getLevel();
    private FuzzedConnection connection = new FuzzedConnection(codec);
    private int losses;

    @BeforeEach
    void detectEveryLeak() {
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
        ByteBufUtil.setLeakListener((type, records) -> leaks.add(type + " " + records));
    }

    @AfterEach
    void restore() {
        connection.close();
        ResourceLeakDetector.setLevel(level);
        ByteBufUtil.setLeakListener(null);
    }

    @Test
    void survivesMutatedFramesAndDeliversHonestOnes() {
        int blocks = Math.max(1, FRAMES / BLOCK_FRAMES);
        fuzz(new Random(0), Long.MAX_VALUE); // loads classes
        losses = 0;
        for (int block = 0; block < blocks; block++) {
            for (Runnable next = compilations.poll(); next != null; next = compilations.poll()) {
                next.run();
            }
            long seed = FIRST_SEED + block;
            try {
                fuzz(new Random(seed), ALLOCATION_BYTES_MAX);
            } catch (RuntimeException | Error failure) {
                throw new AssertionError(
                        "replay: mvn -pl platform/rpc -am test -Dtest=FrameFuzzTest"
                                + " -Dsurefire.failIfNoSpecifiedTests=false -Dhearth.fuzz.seed=" + seed
                                + " -Dhearth.fuzz.frames=" + BLOCK_FRAMES,
                        failure);
            }
        }
        int all = blocks * BLOCK_FRAMES;
        assertTrue(
                losses > all / 100 && losses < all, losses + " losses of " + all + ": the test reaches one side only");
        assertEquals(List.of(), leaksAfterCollection());
    }

    private void fuzz(Random random, long allocatedMax) {
        reconnect();
        for (int frame = 0; frame < BLOCK_FRAMES; frame++) {
            if (random.nextInt(8) == 0) {
                connection.ask();
            }
            byte[] hostile = mutated(random);
            boolean lying = random.nextInt(32) == 0;
            byte[] bytes = join(
                    framed(frames.ask(frame, FuzzedConnection.ENDPOINT, codec, new Honest(frame))),
                    prefixed(hostile, lying ? random.nextInt() : hostile.length));
            long before = THREADS.getCurrentThreadAllocatedBytes();
            int cut = random.nextInt(bytes.length);
            connection.expect(frame);
            int answered = read(bytes, 0, cut) + read(bytes, cut, bytes.length);
            long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
            assertTrue(
                    allocated - (long) ALLOCATION_FACTOR * bytes.length <= allocatedMax,
                    () -> allocated + " bytes allocated for " + bytes.length);
            assertTrue(connection.received(), "the honest message before the hostile one was not received");
            assertTrue(answered > 0 || connection.isLost(), "nor was it answered");
            if (connection.isLost() || lying) {
                losses += connection.losses();
                assertEquals(connection.isLost() ? 1 : 0, connection.losses());
                reconnect();
            }
        }
    }

    private void reconnect() {
        connection.close();
        connection = new FuzzedConnection(codec);
    }

    private int read(byte[] bytes, int from, int to) {
        if (connection.isLost()) {
            return 0; // the first half suffices if its length prefix is wrong
        }
        ByteBuf in = FuzzedConnection.ALLOCATOR.buffer(Math.max(1, to - from)).writeBytes(bytes, from, to - from);
        int answered = connection.read(in);
        assertEquals(0, in.refCnt(), "what was read is to be released");
        return answered;
    }

    private byte[] mutated(Random random) {
        byte[] frame = pick(random).clone();
        for (int left = random.nextInt(MUTATIONS_MAX); left >= 0; left--) {
            int at = random.nextInt(frame.length);
            switch (random.nextInt(6)) {
                case 0 -> frame[at] ^= (byte) (1 << random.nextInt(Byte.SIZE));
                case 1 -> frame[at] = (byte) random.nextInt();
                case 2 -> frame[at] = new byte[] {0, 1, 0x7F, -1, -128}[random.nextInt(5)];
                case 3 -> frame = Arrays.copyOf(frame, 1 + at);
                case 4 -> frame = join(Arrays.copyOf(frame, at), Arrays.copyOfRange(frame, at / 2, frame.length));
                default -> {
                    byte[] other = pick(random);
                    int from = random.nextInt(other.length);
                    frame = join(Arrays.copyOf(frame, at), Arrays.copyOfRange(other, from, other.length));
                }
            }
        }
        return frame;
    }

    private byte[] pick(Random random) {
        return corpus.get(random.nextInt(corpus.size()));
    }

    /** Reports of the leak detector after a garbage collection; it checks when it tracks a new buffer. */
    private List<String> leaksAfterCollection() {
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
            FuzzedConnection.ALLOCATOR.buffer(1).release();
        }
        return List.copyOf(leaks);
    }

    private static byte[] framed(WireOutput frame) {
        return prefixed(Arrays.copyOf(frame.array(), frame.size()), frame.size());
    }

    private static byte[] prefixed(byte[] content, int length) {
        byte[] prefix = {(byte) (length >> 24), (byte) (length >> 16), (byte) (length >> 8), (byte) length};
        return join(prefix, content);
    }

    private static byte[] join(byte[] first, byte[] second) {
        byte[] all = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, all, first.length, second.length);
        return all;
    }

    private static List<byte[]> corpus() {
        List<byte[]> all = new ArrayList<>();
        try (InputStream in = FrameFuzzTest.class.getResourceAsStream("/corpus/frames.hex")) {
            assertNotNull(in, "the corpus is gone");
            new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .forEach(line -> all.add(HexFormat.of().parseHex(line.substring(line.lastIndexOf(' ') + 1))));
        } catch (IOException failure) {
            throw new AssertionError("the corpus cannot be read", failure);
        }
        return all;
    }
}
