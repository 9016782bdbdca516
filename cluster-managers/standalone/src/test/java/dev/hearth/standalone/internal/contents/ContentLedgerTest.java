package dev.hearth.standalone.internal.contents;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.spi.cluster.ContentAddress;
import dev.hearth.spi.stream.ContentId;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ContentLedgerTest {
    private static final long MEBIBYTE = 1 << 20;
    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    private static final ContentId A = content(1);
    private static final ContentId B = content(2);
    private static final ContentId C = content(3);

    private final ContentLedger ledger = new ContentLedger("x.max", 10 * MEBIBYTE, Duration.ofSeconds(60));

    @Test
    void keepsAFileThatADriverUsesAndForTheRetentionTimeAfterwards() {
        arrive(A, 4, 0);
        ledger.use("driver-1", List.of(address(A, 4)), 0);
        assertEquals(List.of(), ledger.expire(1_000 * SECOND));
        ledger.release("driver-1", 1_000 * SECOND);
        assertEquals(List.of(), ledger.expire(1_059 * SECOND));
        assertEquals(List.of(A), ledger.expire(1_060 * SECOND));
        assertEquals(0, ledger.bytesHeld());
        assertFalse(ledger.ask(A, 1_061 * SECOND));
    }

    @Test
    void makesRoomByTheLeastRecentlyUsedFilesFirst() {
        arrive(A, 4, 0);
        arrive(B, 4, SECOND);
        assertTrue(ledger.ask(A, 2 * SECOND));
        assertEquals(List.of(B), ledger.begin(C, 4 * MEBIBYTE, 100 * SECOND));
        ledger.arrived(C, 4 * MEBIBYTE, 100 * SECOND);
        ledger.ended(C);
        assertEquals(8 * MEBIBYTE, ledger.bytesHeld());
    }

    @Test
    void refusesAFileForWhichThereCannotBeRoomAndSaysWhatToDo() {
        assertEquals(
                "content " + A + ": 10240 MiB, and 0 bytes are in use (expected: at most x.max = 10 MiB together);"
                        + " raise x.max, or copy the file to a directory that all machines share and name the directory"
                        + " in hearth.submit.sharedDirs",
                refusal(() -> ledger.begin(A, 10_240 * MEBIBYTE, 0)));
        arrive(A, 4, 0);
        arrive(B, 5, 0);
        ledger.use("driver-1", List.of(address(A, 4)), 0);
        assertEquals(
                "2 files: 2 MiB, and 9 MiB are in use (expected: at most x.max = 10 MiB together); the largest: 5 MiB"
                        + " used less than 60 s ago; 4 MiB of driver-1; submit again when they have ended, or raise"
                        + " x.max",
                refusal(() -> ledger.requireRoom("2 files", 2 * MEBIBYTE, SECOND)));
        assertEquals(List.of(B), ledger.begin(C, 6 * MEBIBYTE, 60 * SECOND));
    }

    @Test
    void countsAFileThatSeveralSendersBringAtOnceOnce() {
        ledger.begin(A, 8 * MEBIBYTE, 0);
        ledger.begin(A, 8 * MEBIBYTE, 0);
        assertThrows(HearthException.class, () -> ledger.begin(B, 4 * MEBIBYTE, 0));
        ledger.ended(A);
        assertThrows(HearthException.class, () -> ledger.begin(B, 4 * MEBIBYTE, 0));
        ledger.ended(A);
        assertEquals(List.of(), ledger.begin(B, 4 * MEBIBYTE, 0));
    }

    @Test
    void refusesASubmissionThatNamesWhatIsNotHere() {
        arrive(A, 4, 0);
        ledger.require(List.of(address(A, 4)));
        assertEquals(
                "'" + address(B, 4) + "': not held here (expected: a file that was uploaded before); submit again,"
                        + " which uploads it",
                refusal(() -> ledger.require(List.of(address(A, 4), address(B, 4)))));
        assertTrue(refusal(() -> ledger.require(List.of(address(A, 5)))).contains("held with 4194304 bytes"));
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 42})
    void neverHoldsMoreThanItsBoundNorDropsWhatIsUsed(long seed) {
        Random random = new Random(seed);
        Set<ContentId> held = new LinkedHashSet<>();
        Set<ContentId> used = new LinkedHashSet<>();
        long now = 0;
        for (int i = 0; i < 2_000; i++) {
            now += random.nextInt(40) * SECOND;
            int number = random.nextInt(12);
            ContentId content = content(number);
            long mebibytes = 1L + number % 5;
            held.removeAll(ledger.expire(now));
            switch (random.nextInt(3)) {
                case 0 -> {
                    try {
                        held.removeAll(ledger.begin(content, mebibytes * MEBIBYTE, now));
                        ledger.arrived(content, mebibytes * MEBIBYTE, now);
                        ledger.ended(content);
                        held.add(content);
                    } catch (HearthException full) {
                        assertEquals("STORE_FULL", full.code());
                    }
                }
                case 1 -> {
                    if (ledger.ask(content, now)) {
                        ledger.use("driver-" + number, List.of(address(content, mebibytes)), now);
                        used.add(content);
                    }
                }
                default -> {
                    ledger.release("driver-" + number, now);
                    used.remove(content);
                }
            }
            assertTrue(ledger.bytesHeld() <= 10 * MEBIBYTE);
            assertTrue(held.containsAll(used), () -> "held " + held + ", used " + used);
        }
    }

    private void arrive(ContentId content, long mebibytes, long now) {
        ledger.begin(content, mebibytes * MEBIBYTE, now);
        ledger.arrived(content, mebibytes * MEBIBYTE, now);
        ledger.ended(content);
    }

    private static String refusal(Runnable call) {
        return assertThrows(HearthException.class, call::run).getMessage();
    }

    private static ContentId content(int number) {
        return new ContentId("%064x".formatted(number));
    }

    private static ContentAddress address(ContentId content, long mebibytes) {
        return new ContentAddress(content, mebibytes * MEBIBYTE, "a.jar");
    }
}
