package dev.hearth.kubernetes.internal.mirror;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.kubernetes.internal.api.Answer;
import dev.hearth.kubernetes.internal.api.ObjectFacts;
import dev.hearth.kubernetes.internal.api.PodFacts;
import dev.hearth.kubernetes.internal.api.RefusalKind;
import dev.hearth.kubernetes.internal.mirror.MirrorEffect.ListPage;
import dev.hearth.kubernetes.internal.mirror.MirrorEffect.OpenWatch;
import dev.hearth.kubernetes.internal.mirror.MirrorEffect.Seen;
import dev.hearth.kubernetes.internal.mirror.MirrorEffect.Stale;
import dev.hearth.kubernetes.internal.mirror.MirrorEffect.Vanished;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Lists and watches, event by event. */
class MirrorTest {
    private static final Answer GONE = new Answer.Refused(RefusalKind.GONE, "too old resource version");
    private static final Answer DENIED = new Answer.Refused(RefusalKind.DENIED, "cannot watch pods");
    private static final Answer RESET = new Answer.Unknown("connection reset");

    private Mirror mirror = new Mirror(MirrorSettings.DEFAULTS);
    private final List<MirrorEffect> effects = new ArrayList<>();
    private long now;
    private long number; // of the latest list or watch

    private static ObjectFacts pod(String name, int version) {
        return ObjectFacts.of(name, "uid-" + name, String.valueOf(version)).with(PodFacts.PENDING);
    }

    private static Answer.Page page(String version, String next, ObjectFacts... pods) {
        return new Answer.Page(List.of(pods), version, next, 0);
    }

    private void did(List<MirrorEffect> made) {
        effects.clear();
        effects.addAll(made);
        of(ListPage.class).forEach(page -> number = page.number());
        of(OpenWatch.class).forEach(watch -> number = watch.number());
    }

    private <T> Stream<T> of(Class<T> kind) {
        return effects.stream().filter(kind::isInstance).map(kind::cast);
    }

    private List<String> seen() {
        return of(Seen.class).map(effect -> effect.object().name()).toList();
    }

    private List<String> vanished() {
        return of(Vanished.class).map(effect -> effect.object().name()).toList();
    }

    private void start() {
        did(mirror.start(now));
    }

    private void answered(Answer answer) {
        did(mirror.answered(number, answer, now));
    }

    private void ended(Answer end) {
        did(mirror.ended(number, end, now));
    }

    private void pass(Duration time) {
        now += time.toNanos();
        did(mirror.wake(now));
    }

    @Test
    void readsAllPagesAndWatchesFromTheirVersion() {
        start();
        answered(page("7", "more", pod("a", 1)));
        assertEquals(List.of("more"), of(ListPage.class).map(ListPage::next).toList());
        answered(page("7", "", pod("b", 2)));
        assertEquals(List.of("b"), seen());
        assertEquals(List.of("7"), of(OpenWatch.class).map(OpenWatch::version).toList());
    }

    @Test
    void reportsEachVersionOnce() {
        start();
        answered(page("7", "", pod("a", 1)));
        did(mirror.changed(number, pod("a", 1), now));
        assertEquals(List.of(), seen());
        did(mirror.changed(number, pod("a", 8), now));
        assertEquals(List.of("a"), seen());
        did(mirror.deleted(number, pod("a", 9), now));
        assertEquals(List.of("a"), vanished());
        did(mirror.deleted(number, pod("a", 9), now));
        assertEquals(List.of(), vanished());
    }

    @Test
    void findsInAListWhatAWatchMissed() {
        start();
        answered(page("7", "", pod("a", 1), pod("b", 2)));
        ended(GONE);
        assertEquals(1, of(ListPage.class).count(), "a version that is too old is no end of watching");
        answered(page("20", "", pod("b", 15), pod("c", 16)));
        assertEquals(List.of("b", "c"), seen());
        assertEquals(List.of("a"), vanished());
    }

    @Test
    void watchesOnFromTheLastVersionAfterTheServersTime() {
        start();
        answered(page("7", "", pod("a", 1)));
        did(mirror.bookmark(number, "30", now));
        now += Duration.ofMinutes(4).toNanos();
        ended(new Answer.Done(Optional.empty()));
        assertEquals(List.of("30"), of(OpenWatch.class).map(OpenWatch::version).toList());
        assertEquals(0, of(ListPage.class).count());
    }

    @Test
    void pausesBeforeAServerThatEndsEachWatchAtOnce() {
        start();
        answered(page("7", ""));
        ended(new Answer.Done(Optional.empty()));
        assertEquals(Mirror.State.AWAY, mirror.state());
        assertEquals(0, of(OpenWatch.class).count());
    }

    @Test
    void beginsAListAnewWhenItsVersionIsTooOld() {
        start();
        answered(page("7", "more", pod("a", 1)));
        answered(GONE);
        assertEquals(List.of(""), of(ListPage.class).map(ListPage::next).toList());
        answered(page("9", "", pod("b", 2)));
        assertEquals(List.of("a"), vanished(), "the new list lacks it");
    }

    @Test
    void opensASilentWatchAgainAndThenLists() {
        start();
        answered(page("7", ""));
        pass(Mirror.SILENCE_MAX);
        assertEquals(1, of(OpenWatch.class).count());
        pass(Mirror.SILENCE_MAX);
        assertEquals(1, of(ListPage.class).count());
    }

    @Test
    void ignoresEventsOfAnEarlierWatch() {
        start();
        answered(page("7", "", pod("a", 1)));
        long first = number;
        now += Duration.ofMinutes(4).toNanos();
        ended(new Answer.Done(Optional.empty()));
        assertEquals(Mirror.State.WATCHING, mirror.state());
        did(mirror.deleted(first, pod("a", 8), now));
        assertEquals(List.of(), vanished());
    }

    @Test
    void becomesStaleAfterFiveSecondsAndFreshWithAList() {
        start();
        answered(page("7", ""));
        ended(RESET);
        pass(Duration.ofMillis(100));
        ended(RESET);
        pass(Mirror.STALE_AFTER);
        ended(RESET);
        assertEquals(1, of(Stale.class).count());
        assertTrue(of(Stale.class).findFirst().orElseThrow().reason().contains("connection reset"));
        pass(Duration.ofSeconds(10));
        answered(page("9", ""));
        assertEquals("", of(Stale.class).findFirst().orElseThrow().reason());
    }

    @Test
    void listsAtIntervalsWhereWatchesAreForbidden() {
        start();
        answered(page("7", "", pod("a", 1)));
        ended(DENIED);
        assertEquals(Mirror.State.POLLING, mirror.state());
        assertEquals(1, of(MirrorEffect.Polling.class).count());
        pass(Duration.ofSeconds(29));
        assertEquals(0, of(ListPage.class).count());
        pass(Duration.ofSeconds(1));
        assertEquals(1, of(ListPage.class).count());
        answered(page("9", "", pod("b", 8)));
        assertEquals(List.of("b"), seen());
        assertEquals(List.of("a"), vanished());
        assertEquals(0, of(OpenWatch.class).count());
        assertEquals(0, of(MirrorEffect.Polling.class).count(), "it is said once");
    }

    @Test
    void neverWatchesIfTheUserWantsLists() {
        mirror = new Mirror(new MirrorSettings(true, true, Duration.ofSeconds(5)));
        start();
        answered(page("7", ""));
        assertEquals(0, of(OpenWatch.class).count());
        pass(Duration.ofSeconds(5));
        assertEquals(1, of(ListPage.class).count());
        answered(new Answer.Unknown("connection refused"));
        assertEquals(Mirror.State.AWAY, mirror.state());
        pass(Duration.ofSeconds(10));
        assertEquals(1, of(ListPage.class).count(), "after a failure, too");
    }

    @Test
    void triesTheWatchAgainIfListsMustNotReplaceIt() {
        mirror = new Mirror(new MirrorSettings(false, false, Duration.ofSeconds(5)));
        start();
        answered(page("7", ""));
        ended(DENIED);
        assertEquals(Mirror.State.AWAY, mirror.state());
    }
}
