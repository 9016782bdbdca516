package dev.hearth.httpfs.internal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.storage.StoreException;
import dev.hearth.spi.stream.ContentId;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Transfers from a server in memory that cuts, changes, forgets tags and ignores ranges at random. */
class HttpTransferTest {
    private static final HttpFsSettings BOUNDS = new HttpFsSettings(10_000, Duration.ofMinutes(10));

    /** Performs the steps of one transfer against a random server. The last request sees {@code content}. */
    private static final class RandomServer implements TransferStep.Handler {
        private final Random random;
        private final boolean tags;
        private final boolean ranges;
        private final Optional<ContentId> wanted;
        private final HttpTransfer transfer;
        private byte[] content;
        private byte[] part = new byte[0];
        private byte[] body = new byte[0];
        private boolean cut;
        private boolean versions; // whether the part got bytes of two versions
        private byte[] source = new byte[0];
        private long now;

        RandomServer(Random random, boolean hashed) {
            this.random = random;
            this.tags = random.nextBoolean();
            this.ranges = random.nextBoolean();
            this.content = bytes();
            this.wanted = hashed ? Optional.of(hash(content)) : Optional.empty();
            this.transfer = new HttpTransfer(BOUNDS, HttpTransfer.Copy.NONE, HttpTransfer.Part.NONE, wanted, 0);
        }

        private byte[] bytes() {
            byte[] all = new byte[100 + random.nextInt(5_000)];
            random.nextBytes(all);
            return all;
        }

        TransferStep.Result run() throws IOException {
            TransferStep step = transfer.proceed(now);
            while (!(step instanceof TransferStep.End)) {
                step = step.accept(this);
            }
            return ((TransferStep.End) step).result();
        }

        @Override
        public TransferStep onAsk(TransferStep.Ask step) {
            if (random.nextInt(20) == 0) {
                return transfer.broke("refused", now);
            }
            if (wanted.isEmpty() && random.nextInt(6) == 0) {
                content = bytes();
            }
            String tag = tags ? "\"" + Arrays.hashCode(content) + "\"" : "";
            String range = step.headers().get("Range");
            String condition = step.headers().get("If-Range");
            boolean partial = ranges && range != null && (condition == null || condition.equals(tag));
            int from = partial ? Integer.parseInt(range.replaceAll("\\D", "")) : 0;
            if (from >= content.length) {
                return transfer.answered(head(416, OptionalLong.empty(), "", ""), now);
            }
            byte[] rest = Arrays.copyOfRange(content, from, content.length);
            cut = random.nextInt(3) > 0;
            body = cut ? Arrays.copyOf(rest, random.nextInt(rest.length)) : rest;
            String sent = partial ? "bytes " + from + "-" + (content.length - 1) + "/" + content.length : "";
            return transfer.answered(head(partial ? 206 : 200, OptionalLong.of(rest.length), sent, tag), now);
        }

        private static AnswerHead head(int status, OptionalLong length, String range, String tag) {
            return new AnswerHead(status, "", length, false, range, tag, "", false);
        }

        @Override
        public TransferStep onReceive(TransferStep.Receive step) {
            versions = step.at() > 0 && (versions || source != content);
            source = content;
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            all.write(part, 0, (int) step.at());
            all.writeBytes(body);
            part = all.toByteArray();
            Optional<TransferStep> ended = transfer.received(body.length, now);
            return ended.isPresent() ? ended.get() : cut ? transfer.broke("cut", now) : transfer.bodyEnded(now);
        }

        @Override
        public TransferStep onPause(TransferStep.Pause step) {
            assertTrue(step.millis() <= HttpTransfer.PAUSE_MAX_MILLIS);
            now += Duration.ofMillis(step.millis()).toNanos();
            return transfer.proceed(now);
        }

        @Override
        public TransferStep onCheck(TransferStep.Check step) {
            return transfer.checked(Optional.of(hash(part)));
        }

        @Override
        public TransferStep onFail(TransferStep.Fail step) throws IOException {
            throw step.failure();
        }
    }

    private static ContentId hash(byte[] bytes) {
        var digest = ContentId.digest();
        digest.update(bytes);
        return ContentId.of(digest);
    }

    @ParameterizedTest(name = "hash known: {0}")
    @ValueSource(booleans = {true, false})
    void takesOneVersionWholeOrFails(boolean hashed) {
        int taken = 0;
        for (long seed = 0; seed < 2_000; seed++) {
            RandomServer server = new RandomServer(new Random(seed), hashed);
            try {
                assertEquals(TransferStep.Result.TAKE, server.run());
                assertArrayEquals(server.content, server.part, "seed " + seed);
                assertFalse(server.versions && !hashed, "seed " + seed);
                taken++;
            } catch (IOException failure) {
                assertTrue(failure instanceof StoreException, "seed " + seed);
            }
            assertEquals(HttpTransfer.State.ENDED, server.transfer.state());
        }
        assertTrue(taken > 1_000, "taken: " + taken);
    }

    @Test
    void doesNotContinueWithoutProofOfTheVersion() {
        HttpTransfer unproved =
                new HttpTransfer(BOUNDS, HttpTransfer.Copy.NONE, new HttpTransfer.Part(10, ""), Optional.empty(), 0);
        assertEquals("{}", ((TransferStep.Ask) unproved.proceed(0)).headers().toString());
        HttpTransfer proved = new HttpTransfer(
                BOUNDS, HttpTransfer.Copy.NONE, new HttpTransfer.Part(10, "\"x\""), Optional.empty(), 0);
        assertEquals(
                "{Range=bytes=10-, If-Range=\"x\"}",
                ((TransferStep.Ask) proved.proceed(0)).headers().toString());
    }

    @Test
    void asksWithWhatIsKnownOfItsCopy() {
        HttpTransfer.Copy tagged = new HttpTransfer.Copy("W/\"1\"", "Thu, 01 Jan 1970 00:00:00 GMT");
        TransferStep ask = new HttpTransfer(BOUNDS, tagged, HttpTransfer.Part.NONE, Optional.empty(), 0).proceed(0);
        assertEquals(
                "{If-None-Match=W/\"1\"}", ((TransferStep.Ask) ask).headers().toString());
        HttpTransfer.Copy dated = new HttpTransfer.Copy("", tagged.changed());
        TransferStep other = new HttpTransfer(BOUNDS, dated, HttpTransfer.Part.NONE, Optional.empty(), 0).proceed(0);
        assertEquals(
                "{If-Modified-Since=" + tagged.changed() + "}",
                ((TransferStep.Ask) other).headers().toString());
    }

    @Test
    void endsAtTheBoundOfItsTime() {
        HttpTransfer transfer =
                new HttpTransfer(BOUNDS, HttpTransfer.Copy.NONE, HttpTransfer.Part.NONE, Optional.empty(), 0);
        long late = Duration.ofMinutes(11).toNanos();
        transfer.proceed(0);
        TransferStep.Fail end = (TransferStep.Fail) transfer.broke("cut", late);
        assertEquals("not complete after 660 s, with 0 bytes", end.failure().getMessage());
        assertThrows(IllegalStateException.class, () -> transfer.proceed(late));
    }

    @Test
    void wantsAProofOfTheEndOfAFile() {
        AnswerHead open = new AnswerHead(200, "OK", OptionalLong.empty(), false, "", "", "", false);
        HttpTransfer transfer =
                new HttpTransfer(BOUNDS, HttpTransfer.Copy.NONE, HttpTransfer.Part.NONE, Optional.empty(), 0);
        transfer.proceed(0);
        TransferStep.Fail end = (TransferStep.Fail) transfer.answered(open, 0);
        assertEquals("its server does not say where it ends", end.failure().getMessage());
        assertTrue(end.failure().advice().contains("?sha256="));
    }

    @Test
    void takesATimeAsProofOnceTheFileIsSettled() {
        assertEquals("", new AnswerHead(200, "", OptionalLong.of(1), false, "", "", "today", false).strongValidator());
        assertEquals(
                "today", new AnswerHead(200, "", OptionalLong.of(1), false, "", "", "today", true).strongValidator());
        assertEquals(
                "", new AnswerHead(200, "", OptionalLong.of(1), false, "", "W/\"1\"", "today", true).strongValidator());
    }
}
