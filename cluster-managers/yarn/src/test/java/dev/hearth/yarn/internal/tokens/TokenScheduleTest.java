package dev.hearth.yarn.internal.tokens;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.yarn.internal.settings.RenewalSettings;
import dev.hearth.yarn.internal.tokens.TokenEffect.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When tokens are made again, and what is said while they are not, in virtual time. */
class TokenScheduleTest {
    private static final Duration DAY = Duration.ofDays(1);
    private static final RenewalSettings SETTINGS =
            new RenewalSettings(RenewalSettings.Login.KEYTAB, 0.75, Duration.ofHours(1), Duration.ofMinutes(1));

    private final TokenSchedule schedule = new TokenSchedule(SETTINGS);
    private final Seen seen = new Seen();
    private long now = 1;

    /** Effects of a schedule, as their owner sees them. */
    private static final class Seen implements TokenEffect.Handler {
        private final List<TokenEffect.Note> notes = new ArrayList<>();
        private Optional<Duration> wake = Optional.empty();
        private int fetches;

        @Override
        public void onFetch() {
            fetches++;
        }

        @Override
        public void onWake(Duration after) {
            wake = Optional.of(after);
        }

        @Override
        public void onNote(Level level, String words) {
            notes.add(new TokenEffect.Note(level, words));
        }

        String last() {
            return notes.isEmpty() ? "" : notes.get(notes.size() - 1).words();
        }
    }

    private void see(List<TokenEffect> effects) {
        seen.wake = Optional.empty();
        effects.forEach(effect -> effect.perform(seen));
    }

    private void pass(Duration time) {
        now += time.toNanos();
        see(schedule.tick(now));
    }

    @Test
    void makesNewTokensAtThreeQuartersOfTheirLife() {
        see(schedule.begin(Optional.of(Duration.ofDays(7)), now));
        assertEquals(1, seen.fetches);
        see(schedule.fetched(Optional.of(DAY), now));
        assertEquals(Optional.of(Duration.ofHours(18)), seen.wake);
        pass(Duration.ofHours(17));
        assertEquals(1, seen.fetches);
        assertEquals(Optional.of(Duration.ofHours(1)), seen.wake);
        pass(Duration.ofHours(1));
        assertEquals(2, seen.fetches);
        assertEquals(TokenSchedule.State.FETCHING, schedule.state());
        assertEquals(List.of(), seen.notes);
    }

    @Test
    void retriesAfterAMinuteAndDoublesUpToTheBound() {
        see(schedule.begin(Optional.empty(), now));
        see(schedule.fetched(Optional.of(Duration.ofDays(10)), now));
        pass(Duration.ofDays(8));
        List<Long> minutes = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            see(schedule.failed("KDC away", now));
            minutes.add(seen.wake.orElseThrow().toMinutes());
            pass(seen.wake.orElseThrow());
        }
        assertEquals(List.of(1L, 2L, 4L, 8L, 16L, 32L, 60L, 60L), minutes);
        assertEquals(8, seen.notes.size());
        assertTrue(seen.notes.stream().allMatch(note -> note.level() == Level.WARNING));
        see(schedule.fetched(Optional.of(DAY), now));
        assertEquals("delegation tokens: made again after 8 failed attempts", seen.last());
        assertEquals(Optional.of(Duration.ofHours(18)), seen.wake);
    }

    @Test
    void triesWithinWhatIsLeftOfShortTokens() {
        see(schedule.begin(Optional.empty(), now));
        see(schedule.fetched(Optional.of(Duration.ofSeconds(60)), now));
        pass(Duration.ofSeconds(45));
        int attempts = 0;
        while (schedule.left(now).orElseThrow().toSeconds() > 0) {
            see(schedule.failed("KDC away", now));
            attempts++;
            pass(seen.wake.orElseThrow());
        }
        assertTrue(attempts >= 6, attempts + " attempts");
        assertTrue(seen.notes.get(0).words().contains("valid for another 15 s"), seen.notes::toString);
    }

    @Test
    void saysThatTokensHaveEndedAndGoesOnEachMinute() {
        see(schedule.begin(Optional.of(Duration.ofSeconds(1)), now));
        pass(Duration.ofSeconds(2));
        assertEquals(Level.ERROR, seen.notes.get(0).level());
        assertTrue(seen.last().contains("they have ended 1 s ago"), seen.last());
        for (int i = 0; i < 5; i++) {
            see(schedule.failed("KDC away", now));
            assertTrue(seen.wake.orElseThrow().compareTo(Duration.ofMinutes(1)) <= 0);
            pass(seen.wake.orElseThrow());
        }
        assertTrue(seen.last().contains("tasks that open files fail"), seen.last());
    }

    @Test
    void keepsTokensThatItCannotReplaceAndWarnsBeforeTheyEnd() {
        see(schedule.hold(Optional.of(Duration.ofDays(7)), now));
        assertEquals(0, seen.fetches);
        assertEquals(Optional.of(Duration.ofHours(126)), seen.wake);
        pass(Duration.ofHours(126));
        assertEquals(1, seen.notes.size());
        assertTrue(seen.last().contains("they end in 1 d 18 h and cannot be replaced here"), seen.last());
        pass(seen.wake.orElseThrow());
        assertEquals(Level.ERROR, seen.notes.get(1).level());
        pass(DAY);
        assertEquals(2, seen.notes.size());
        assertEquals(Optional.empty(), seen.wake);
    }

    @Test
    void doesNothingOnceItIsClosed() {
        schedule.close();
        see(schedule.begin(Optional.of(DAY), now));
        see(schedule.fetched(Optional.of(DAY), now));
        see(schedule.failed("late", now));
        pass(DAY);
        assertEquals(0, seen.fetches);
        assertEquals(List.of(), seen.notes);
    }

    @Test
    void writesTimesInTwoUnits() {
        assertEquals("0 s", TokenSchedule.words(Duration.ofMillis(-5)));
        assertEquals("59 s", TokenSchedule.words(Duration.ofSeconds(59)));
        assertEquals("1 min 1 s", TokenSchedule.words(Duration.ofSeconds(61)));
        assertEquals("3 h 20 min", TokenSchedule.words(Duration.ofMinutes(200)));
        assertEquals("2 d 1 h", TokenSchedule.words(Duration.ofHours(49)));
    }

    /** Tokens of any life, attempts that take time, and a KDC that goes away: random lives of one schedule. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 42, 99, 2026})
    void neverLetsTokensEndWithoutAnAttemptAndAWarning(long seed) {
        Random random = new Random(seed);
        see(schedule.begin(Optional.empty(), now));
        boolean isAway = false;
        for (int step = 0; step < 2_000; step++) {
            if (random.nextInt(40) == 0) {
                isAway = !isAway;
            }
            if (schedule.state() == TokenSchedule.State.FETCHING) {
                Optional<Duration> before = schedule.left(now);
                now += random.nextInt(500) * 1_000_000L;
                int notes = seen.notes.size();
                if (isAway) {
                    see(schedule.failed("KDC away", now));
                    assertEquals(notes + 1, seen.notes.size());
                    assertTrue(seen.wake.isPresent());
                    boolean isOver = before.isPresent() && before.get().isNegative();
                    assertTrue(!isOver || seen.last().contains("have ended"), seen.last());
                } else {
                    see(schedule.fetched(Optional.of(Duration.ofSeconds(2 + random.nextInt(100_000))), now));
                }
            } else {
                Duration next = seen.wake.orElseThrow();
                boolean endsBefore = schedule.left(now)
                        .filter(left -> !left.isNegative() && left.compareTo(next) < 0)
                        .isPresent();
                // only what is shorter than the shortest pause may end unattended
                assertTrue(!endsBefore || next.compareTo(TokenSchedule.PAUSE_MIN) <= 0, next.toString());
                pass(next);
                assertEquals(TokenSchedule.State.FETCHING, schedule.state());
            }
        }
        assertTrue(seen.fetches > 100, seen.fetches + " attempts");
    }
}
