package dev.hearth.rpc.internal.security;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.rpc.RpcSecurity;
import dev.hearth.spi.rpc.Secret;
import dev.hearth.testkit.FakeTicker;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The proof as bytes on a connection: whole, in pieces, truncated, too long, and random. */
class ProofHandlerTest {
    private static final Secret SECRET = Secret.random();
    private static final ProofTerms TERMS = new ProofTerms("MESSAGES", "app-1", 1, ChannelBinding.NONE);
    private static final String REMOTE = "10.0.0.1:7077";

    private final ChannelSecurity security = new ChannelSecurity(RpcSecurity.NONE, new FakeTicker());

    @AfterEach
    void close() {
        security.close();
    }

    @Test
    void provesByteByByteAndPassesOnLaterBytes() {
        Ends ends = new Ends(SECRET, Optional.of(SECRET));
        ends.pump(1);
        assertTrue(ends.connecting.proved && ends.accepting.proved);
        ends.connecting.channel.writeOutbound(Unpooled.wrappedBuffer(new byte[] {1, 2, 3}));
        ends.pump(64);
        assertEquals(3, ends.accepting.handedOn);
    }

    @Test
    void passesOnBytesReceivedTogetherWithTheProof() {
        Ends ends = new Ends(SECRET, Optional.of(SECRET));
        ends.accepting.give(ends.connecting.take());
        ends.connecting.give(ends.accepting.take());
        ends.accepting.give(concat(ends.connecting.take(), new byte[] {7, 7}));
        assertTrue(ends.accepting.proved);
        assertEquals(2, ends.accepting.handedOn);
    }

    @Test
    void reportsAWrongSecretToBothSidesAndCloses() {
        Ends ends = new Ends(Secret.random(), Optional.of(SECRET));
        ends.pump(64);
        for (End end : List.of(ends.connecting, ends.accepting)) {
            assertEquals(ErrorCode.NOT_AUTHENTICATED.name(), end.refusals.get(0).code());
            assertEquals(1, end.refusals.size());
            assertTrue(end.text().startsWith(REMOTE + ": "), end.text());
            assertFalse(end.proved);
            assertFalse(end.channel.isOpen());
        }
        assertTrue(ends.accepting.text().contains("the other side could not prove"), ends.accepting.text());
        assertTrue(
                ends.connecting.text().contains("the other side refused this process: you could not prove"),
                ends.connecting.text());
    }

    @Test
    void refusesAtTheFirstByteThatIsNoFrame() {
        for (int first : new int[] {0, 'H', 0x16, 0x50, 0x56, 0xFF}) {
            End accepting = accepting();
            accepting.give(new byte[] {(byte) first});
            assertEquals(1, accepting.refusals.size());
            assertTrue(accepting.text().contains("a frame of kind " + first), accepting.text());
            assertEquals(0x55, accepting.take()[0]);
            assertFalse(accepting.channel.isOpen());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 31, 33, 1_024, 65_535})
    void refusesAFrameOfAnotherLengthByItsHeader(int length) {
        End accepting = accepting();
        accepting.give(new byte[] {0x51, (byte) (length >>> 8), (byte) length});
        assertEquals(1, accepting.refusals.size());
        assertTrue(accepting.text().contains("of " + length + " bytes"), accepting.text());
        End connecting = connecting();
        connecting.take();
        connecting.give(new byte[] {0x52, (byte) (length >>> 8), (byte) length});
        assertEquals(1, connecting.refusals.size());
        assertFalse(connecting.channel.isOpen());
    }

    @Test
    void cutsAReasonThatIsLongerThanAFrameMayBe() throws Exception {
        ByteBuf sent = Unpooled.buffer();
        ProofFrame.refused("x".repeat(ProofFrame.TEXT_BYTES_MAX + 1)).write(sent);
        assertEquals(
                "x".repeat(ProofFrame.TEXT_BYTES_MAX),
                ProofFrame.read(sent).orElseThrow().reason());
    }

    @Test
    void waitsForTheRestOfAFrameAndRefusesWhenItNeverComes() {
        End accepting = accepting();
        byte[] opening = connecting().take();
        accepting.give(Arrays.copyOf(opening, opening.length - 1));
        assertTrue(accepting.refusals.isEmpty());
        assertEquals(0, accepting.take().length);
        accepting.channel.close().syncUninterruptibly();
        assertEquals(1, accepting.refusals.size());
        assertTrue(accepting.text().contains("closed the connection before it proved"), accepting.text());
    }

    @Test
    void keepsNothingOfWhatComesAfterARefusal() {
        End accepting = accepting();
        accepting.give(new byte[] {0});
        accepting.give(new byte[100_000]);
        assertEquals(1, accepting.refusals.size());
        assertEquals(0, accepting.handedOn);
    }

    @Test
    void saysWhatBrokeTheConnection() {
        End connecting = connecting();
        connecting.channel.pipeline().fireExceptionCaught(new IOException("Connection reset"));
        assertTrue(connecting.text().contains("Connection reset"), connecting.text());
        assertFalse(connecting.channel.isOpen());
    }

    @Test
    void showsTheReasonOfARefusalWithoutControlCharacters() {
        End connecting = connecting();
        connecting.take();
        byte[] reason = "no\u001b[2Jsecret\n".getBytes(StandardCharsets.UTF_8);
        connecting.give(concat(new byte[] {0x55, 0, (byte) reason.length}, reason));
        assertTrue(connecting.text().endsWith("no [2Jsecret "), connecting.text());
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4})
    void noRandomBytesProveAnything(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < 2_000; i++) {
            byte[] bytes = new byte[1 + random.nextInt(120)];
            random.nextBytes(bytes);
            if (random.nextBoolean()) { // one that gets past the first frames
                bytes[0] = (byte) (0x51 + random.nextInt(5));
            }
            End accepting = accepting();
            accepting.give(bytes);
            accepting.take();
            accepting.channel.close().syncUninterruptibly();
            assertFalse(accepting.proved);
            assertEquals(1, accepting.refusals.size());
            assertEquals(0, accepting.handedOn);
        }
    }

    private End accepting() {
        End end = new End();
        end.open(security.admitting(TERMS, Optional.of(SECRET), REMOTE, end));
        return end;
    }

    private End connecting() {
        End end = new End();
        end.open(security.proving(TERMS, SECRET, REMOTE, end));
        return end;
    }

    private static byte[] concat(byte[] one, byte[] other) {
        byte[] both = Arrays.copyOf(one, one.length + other.length);
        System.arraycopy(other, 0, both, one.length, other.length);
        return both;
    }

    /** Two ends, each of which receives the bytes of the other. */
    private final class Ends {
        final End connecting = new End();
        final End accepting = new End();

        Ends(Secret here, Optional<Secret> there) {
            accepting.open(security.admitting(TERMS, there, REMOTE, accepting));
            connecting.open(security.proving(TERMS, here, REMOTE, connecting));
        }

        /** Transfers bytes, at most {@code atOnce} each time, until none are left. */
        void pump(int atOnce) {
            boolean moved = true;
            while (moved) {
                boolean there = move(connecting, accepting, atOnce);
                boolean back = move(accepting, connecting, atOnce);
                moved = there || back;
            }
        }

        private boolean move(End from, End to, int atOnce) {
            byte[] bytes = from.take();
            for (int at = 0; at < bytes.length; at += atOnce) {
                to.give(Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + atOnce)));
            }
            return bytes.length > 0;
        }
    }

    /** One end of a connection, with its outcome. */
    private static final class End implements ProofHandler.Outcome {
        final EmbeddedChannel channel = new EmbeddedChannel();
        final List<HearthException> refusals = new ArrayList<>();
        boolean proved;
        int handedOn;

        void open(ProofHandler handler) {
            channel.pipeline().addLast(handler);
        }

        @Override
        public void proved(ChannelHandlerContext context) {
            proved = true;
            context.pipeline().replace(context.handler(), "next", new ChannelInboundHandlerAdapter() {
                @Override
                public void channelRead(ChannelHandlerContext next, Object message) {
                    ByteBuf bytes = (ByteBuf) message;
                    handedOn += bytes.readableBytes();
                    bytes.release();
                }
            });
        }

        @Override
        public void refused(HearthException failure) {
            refusals.add(failure);
        }

        String text() {
            return String.valueOf(refusals.get(0).getMessage());
        }

        void give(byte[] bytes) {
            if (channel.isOpen()) {
                channel.writeInbound(Unpooled.wrappedBuffer(bytes));
            }
        }

        byte[] take() {
            ByteBuf all = Unpooled.buffer();
            for (ByteBuf next = channel.readOutbound(); next != null; next = channel.readOutbound()) {
                all.writeBytes(next);
                next.release();
            }
            byte[] bytes = new byte[all.readableBytes()];
            all.readBytes(bytes);
            return bytes;
        }
    }
}
