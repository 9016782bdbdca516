package dev.hearth.kubernetes.internal.mirror;

import dev.hearth.kubernetes.internal.api.Answer;
import dev.hearth.kubernetes.internal.api.ObjectFacts;
import dev.hearth.kubernetes.internal.api.RefusalKind;
import dev.hearth.kubernetes.internal.mirror.MirrorEffect.CloseWatch;
import dev.hearth.kubernetes.internal.mirror.MirrorEffect.ListPage;
import dev.hearth.kubernetes.internal.mirror.MirrorEffect.Listed;
import dev.hearth.kubernetes.internal.mirror.MirrorEffect.OpenWatch;
import dev.hearth.kubernetes.internal.mirror.MirrorEffect.Polling;
import dev.hearth.kubernetes.internal.mirror.MirrorEffect.Seen;
import dev.hearth.kubernetes.internal.mirror.MirrorEffect.Stale;
import dev.hearth.kubernetes.internal.mirror.MirrorEffect.Vanished;
import dev.hearth.kubernetes.internal.mirror.MirrorEffect.Wake;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Copy of the objects that match one selector. A state machine: time arrives as an argument, effects are returned;
 * {@link MirrorShell} owns it. Invariants: at most one list and one watch are open; each object that was reported as seen
 * is reported as vanished once; events of an earlier list or watch have no effect.
 */
final class Mirror {
    /** Silence after which a watch is opened again; servers send a bookmark about every minute. */
    static final Duration SILENCE_MAX = Duration.ofSeconds(90);
    /** Time without the API server after which the copy is stale. */
    static final Duration STALE_AFTER = Duration.ofSeconds(5);

    private static final Duration PAUSE_LEAST = Duration.ofMillis(100);
    private static final Duration PAUSE_MOST = Duration.ofSeconds(10);
    /** Age up to which the last version is watched from, instead of a list. */
    private static final Duration VERSION_AGE_MAX = Duration.ofMinutes(5);
    /** A watch that ends sooner counts as a failure of the server. */
    private static final Duration WATCH_LEAST = Duration.ofSeconds(1);

    private final MirrorSettings settings;
    private final Map<String, ObjectFacts> objects = new LinkedHashMap<>();
    private final Set<String> listed = new LinkedHashSet<>(); // uids in the pages of the list under way
    private List<MirrorEffect> effects = new ArrayList<>();
    private State state = State.AWAY;
    private long number; // of the latest list or watch
    private long openedNanos; // time of the latest list's or watch's request
    private long listedFromNanos; // time of the request of the list's first page
    private long heardNanos; // time of the last sign of life
    private long pauseEndNanos;
    private Duration pause = PAUSE_LEAST;
    private String version = "";
    private String awayWords = "";
    private boolean stale;
    private boolean silent; // the last watch was closed because it was silent
    private boolean polls;

    enum State {
        /** A list is under way. */
        LISTING,
        /** A watch is open. */
        WATCHING,
        /** A list is complete, and the next one comes after an interval. */
        POLLING,
        /** The server did not answer, or failed; the next attempt comes after a pause. */
        AWAY,
        CLOSED
    }

    Mirror(MirrorSettings settings) {
        this.settings = settings;
        this.polls = settings.polls();
    }

    State state() {
        return state;
    }

    List<MirrorEffect> start(long now) {
        heardNanos = now;
        list(now);
        return flush();
    }

    /** Handles a page of the list {@code of}, or the failure to get one. */
    List<MirrorEffect> answered(long of, Answer answer, long now) {
        if (of == number && state == State.LISTING) {
            if (answer instanceof Answer.Page page) {
                heard(now);
                page.objects().forEach(this::seen);
                page.objects().forEach(object -> listed.add(object.uid()));
                if (page.next().isEmpty()) {
                    complete(page, now);
                } else {
                    effects.add(new ListPage(number, page.next()));
                }
            } else if (isGone(answer)) {
                list(now); // the list's version is too old to continue
            } else {
                away(words(answer), now);
            }
        }
        return flush();
    }

    List<MirrorEffect> changed(long of, ObjectFacts object, long now) {
        if (of == number && state == State.WATCHING) {
            heard(now);
            version = object.version();
            seen(object);
        }
        return flush();
    }

    List<MirrorEffect> deleted(long of, ObjectFacts object, long now) {
        if (of == number && state == State.WATCHING) {
            heard(now);
            version = object.version();
            if (objects.remove(object.uid()) != null) {
                effects.add(new Vanished(object));
            }
        }
        return flush();
    }

    List<MirrorEffect> bookmark(long of, String latest, long now) {
        if (of == number && state == State.WATCHING) {
            heard(now);
            version = latest;
        }
        return flush();
    }

    List<MirrorEffect> ended(long of, Answer end, long now) {
        if (of != number || state != State.WATCHING) {
            return flush();
        }
        boolean early = now - openedNanos < WATCH_LEAST.toNanos();
        if (isGone(end)) {
            list(now);
        } else if (isDenied(end) && settings.mayPoll()) {
            polls = true;
            effects.add(new Polling(words(end), settings.interval()));
            poll(now);
        } else if (end instanceof Answer.Done && !early) {
            watch(now);
        } else {
            away(end instanceof Answer.Done ? "the API server closes the watch at once" : words(end), now);
        }
        return flush();
    }

    List<MirrorEffect> wake(long now) {
        if (state == State.AWAY && now - pauseEndNanos >= 0) {
            if (polls || stale || version.isEmpty() || now - heardNanos > VERSION_AGE_MAX.toNanos()) {
                list(now);
            } else {
                watch(now);
            }
        } else if (state == State.POLLING && now - pauseEndNanos >= 0) {
            list(now);
        } else if (state == State.WATCHING && now - heardNanos >= SILENCE_MAX.toNanos()) {
            effects.add(new CloseWatch());
            heardNanos = now;
            if (silent) {
                list(now);
            } else {
                silent = true;
                watch(now);
            }
        }
        tellStale(now);
        return flush();
    }

    List<MirrorEffect> close() {
        if (state == State.WATCHING) {
            effects.add(new CloseWatch());
        }
        state = State.CLOSED;
        objects.clear();
        return flush();
    }

    private void list(long now) {
        state = State.LISTING;
        number++;
        openedNanos = now;
        listedFromNanos = now;
        listed.clear();
        effects.add(new ListPage(number, ""));
    }

    private void watch(long now) {
        state = State.WATCHING;
        number++;
        openedNanos = now;
        effects.add(new OpenWatch(number, version));
        effects.add(new Wake(SILENCE_MAX));
    }

    private void poll(long now) {
        state = State.POLLING;
        pauseEndNanos = now + settings.interval().toNanos();
        effects.add(new Wake(settings.interval()));
    }

    private void complete(Answer.Page last, long now) {
        for (ObjectFacts object : List.copyOf(objects.values())) {
            if (!listed.contains(object.uid())) {
                objects.remove(object.uid());
                effects.add(new Vanished(object));
            }
        }
        listed.clear();
        version = last.version();
        silent = false;
        pause = PAUSE_LEAST;
        fresh();
        effects.add(new Listed(listedFromNanos));
        if (polls) {
            poll(now);
        } else {
            watch(now);
        }
    }

    private void seen(ObjectFacts object) {
        ObjectFacts before = objects.put(object.uid(), object);
        if (before == null || !before.version().equals(object.version())) {
            effects.add(new Seen(object));
        }
    }

    private void heard(long now) {
        heardNanos = now;
        if (state == State.WATCHING) {
            silent = false;
            pause = PAUSE_LEAST;
            fresh();
        }
    }

    private void fresh() {
        if (stale) {
            stale = false;
            effects.add(new Stale(""));
        }
    }

    private void away(String words, long now) {
        state = State.AWAY;
        awayWords = words;
        pauseEndNanos = now + pause.toNanos();
        effects.add(new Wake(pause));
        Duration longer = pause.multipliedBy(2);
        pause = longer.compareTo(PAUSE_MOST) > 0 ? PAUSE_MOST : longer;
        tellStale(now);
    }

    private void tellStale(long now) {
        if (state == State.AWAY && !stale && now - heardNanos >= STALE_AFTER.toNanos()) {
            stale = true;
            effects.add(new Stale("the API server does not say what runs: " + awayWords));
        }
    }

    private static boolean isGone(Answer answer) {
        return answer instanceof Answer.Refused refused && refused.kind() == RefusalKind.GONE;
    }

    private static boolean isDenied(Answer answer) {
        return answer instanceof Answer.Refused refused && refused.kind() == RefusalKind.DENIED;
    }

    private static String words(Answer answer) {
        if (answer instanceof Answer.Refused refused) {
            return refused.words();
        }
        return answer instanceof Answer.Unknown unknown ? unknown.words() : "an unexpected answer";
    }

    private List<MirrorEffect> flush() {
        List<MirrorEffect> made = effects;
        effects = new ArrayList<>();
        return made;
    }
}
