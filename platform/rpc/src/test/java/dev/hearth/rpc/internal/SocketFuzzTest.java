package dev.hearth.rpc.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.rpc.internal.RecordingEndpoint.Answer;
import dev.hearth.rpc.internal.RecordingEndpoint.Question;
import dev.hearth.rpc.internal.RecordingEndpoint.Say;
import dev.hearth.rpc.internal.RecordingEndpoint.Wish;
import dev.hearth.rpc.internal.codec.ProtocolCodec;
import dev.hearth.rpc.internal.codec.WireOutput;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.rpc.Dispatch;
import dev.hearth.spi.rpc.EndpointRef;
import dev.hearth.spi.rpc.Peer;
import dev.hearth.spi.rpc.RpcCall;
import dev.hearth.spi.rpc.RpcEndpoint;
import dev.hearth.spi.rpc.RpcEnv;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.util.ResourceLeakDetector;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * 100,000 mutated frames over real connections: no leak, every connection ends, and an honest peer is served meanwhile.
 */
class SocketFuzzTest {
    private static final long SEED = Long.getLong("hearth.fuzz.seed", 1);
    private static final int CONNECTIONS = 2_500;
    private static final int FRAMES_EACH = 40;
    private static final int CONNECTIONS_PER_LOOK = 50;
    private static final int COLLECTIONS = 5;

    private final TestEnvs envs = new TestEnvs();
    private final Queue<String> leaks = new ConcurrentLinkedQueue<>();
    private final ResourceLeakDetector.Level level = ResourceLeakDetector.getLevel();
    private final ProtocolCodec codec = new ProtocolCodec(RecordingEndpoint.PROTOCOL);
    private final FrameWriter frames = new FrameWriter(TestEnvs.MEBIBYTE);

    @BeforeEach
    void detectEveryLeak() {
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
        ByteBufUtil.setLeakListener((type, records) -> leaks.add(type + " " + records));
    }

    @AfterEach
    void restore() {
        envs.close();
        ResourceLeakDetector.setLevel(level);
        ByteBufUtil.setLeakListener(null);
    }

    @Test
    void servesHonestPeersWhileOthersSendAnything() throws Exception {
        RpcEnv server = envs.listening();
        server.register(RecordingEndpoint.ENDPOINT, RecordingEndpoint.PROTOCOL, Dispatch.inline(), new Echo());
        RpcAddress address = server.address().orElseThrow();
        EndpointRef honest = TestEnvs.await(envs.connecting().connect(address))
                .endpoint(RecordingEndpoint.ENDPOINT, RecordingEndpoint.PROTOCOL);
        Random random = new Random(SEED);
        for (int i = 0; i < CONNECTIONS; i++) {
            try (RawConnection raw = RawConnection.to(address)) {
                raw.write(RawConnection.join(RawConnection.FIRST, hostile(random)));
                raw.finish();
            } catch (IOException closed) {
                assertTrue(server.address().isPresent(), "it may hang up on us, and no more");
            }
            if (i % CONNECTIONS_PER_LOOK == 0) {
                assertEquals(new Answer(i), TestEnvs.await(ask(honest, i)), () -> "seed " + SEED);
            }
        }
        envs.awaitTrue(() -> server.snapshot().refusals().inHandshake() == 0
                && server.snapshot().peers().size() == 1);
        assertEquals(new Answer(-7), TestEnvs.await(ask(honest, -7)), () -> "seed " + SEED);
        long handled = server.snapshot().scopes().get(0).endpoints().get(0).handled();
        assertTrue(
                handled > CONNECTIONS, () -> handled + " mutated frames were messages still: hardly any got through");
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
            ByteBufAllocator.DEFAULT.buffer(1).release(); // the detector checks when it tracks a new buffer
        }
        assertEquals(List.of(), List.copyOf(leaks), () -> "seed " + SEED);
    }

    /** Frames of one connection, most of them asks, since an unreadable ask does not end the connection. */
    private byte[] hostile(Random random) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (int i = 0; i < FRAMES_EACH; i++) {
            WireOutput frame = random.nextInt(60) == 0
                    ? frames.send(RecordingEndpoint.ENDPOINT, codec, new Say("fuzz", i))
                    : frames.ask(i, RecordingEndpoint.ENDPOINT, codec, new Question(Wish.ECHO, i));
            byte[] content = Arrays.copyOf(frame.array(), frame.size());
            for (int left = random.nextInt(3); left >= 0; left--) {
                int at = random.nextInt(4) == 0
                        ? random.nextInt(content.length)
                        : content.length - 1 - random.nextInt(4);
                content[at] = (byte) random.nextInt();
            }
            int length = random.nextInt(500) == 0 ? random.nextInt() : content.length;
            all.writeBytes(ByteBuffer.allocate(Integer.BYTES).putInt(length).array());
            all.writeBytes(content);
        }
        return all.toByteArray();
    }

    private static CompletionStage<Answer> ask(EndpointRef ref, int number) {
        return ref.ask(new Question(Wish.ECHO, number), Answer.class, TestEnvs.BOUND);
    }

    /** Answers every ask with its number. */
    private static final class Echo implements RpcEndpoint {
        @Override
        public void receive(Record message, RpcCall call) {
            if (message instanceof Question question) {
                call.reply(new Answer(question.number()));
            }
        }

        @Override
        public void peerLost(Peer peer, String reason) {}
    }
}
