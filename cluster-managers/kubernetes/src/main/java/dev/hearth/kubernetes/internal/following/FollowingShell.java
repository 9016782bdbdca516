package dev.hearth.kubernetes.internal.following;

import dev.hearth.kubernetes.internal.api.ApiServer;
import dev.hearth.kubernetes.internal.api.ObjectFacts;
import dev.hearth.kubernetes.internal.api.PodFacts;
import dev.hearth.kubernetes.internal.api.Resource;
import dev.hearth.kubernetes.internal.mirror.MirrorShell;
import dev.hearth.kubernetes.internal.mirror.PodListener;
import dev.hearth.kubernetes.internal.pod.DriverObjects;
import dev.hearth.spi.cluster.SubmissionListener;
import dev.hearth.spi.cluster.SubmissionState;
import dev.hearth.spi.cluster.SubmissionStatus;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.loop.EventLoop;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** Owns a {@link DriverFollowing} and a mirror of the driver's pod on the submitter's event loop. Used once. */
public final class FollowingShell implements PodListener, FollowingEffect.Handler {
    private static final int LOG_BYTES = 16 * 1024;

    private final ApiServer server;
    private final EventLoop loop;
    private final SubmissionListener listener;
    private final SubmissionId submission;
    private final String pod;
    private final String podUid;
    private final DriverFollowing following;
    private final MirrorShell mirror;
    private boolean seen;
    private boolean ended;

    /** Driver to follow. */
    public record Driver(
            String application,
            String applicationId,
            SubmissionId submission,
            String pod,
            String podUid,
            String selector) {}

    /** Times and manner of following. */
    public record Times(Duration imageTimeout, Duration report, Duration followTimeout, boolean supervised) {}

    public FollowingShell(ApiServer server, EventLoop loop, Driver driver, Times times, SubmissionListener listener) {
        this.server = server;
        this.loop = loop;
        this.listener = listener;
        this.submission = driver.submission();
        this.pod = driver.pod();
        this.podUid = driver.podUid();
        this.following = new DriverFollowing(
                new DriverFollowing.Application(
                        driver.application(),
                        driver.applicationId(),
                        driver.submission().value()),
                new DriverFollowing.Settings(
                        times.imageTimeout(), times.report(), times.followTimeout(), times.supervised()),
                now());
        this.mirror = new MirrorShell(server, loop, driver.selector(), this);
    }

    /** Begins to follow. Call it on the loop. The API server is closed once the driver has ended. */
    public void begin() {
        perform(following.begin(now()));
        mirror.start();
    }

    @Override
    public void seen(ObjectFacts facts) {
        if (facts.name().equals(pod)) {
            seen = true;
            perform(following.seen(facts, now()));
        }
    }

    @Override
    public void vanished(ObjectFacts facts) {
        if (facts.name().equals(pod)) {
            perform(following.vanished(facts, now()));
        }
    }

    @Override
    public void listed(long requestedNanos) {
        perform(following.stale("", now()));
        if (!seen && !ended) { // it was deleted before the first list
            seen = true;
            ObjectFacts gone = ObjectFacts.of(pod, podUid, "").with(PodFacts.PENDING);
            perform(following.vanished(gone, now()));
        }
    }

    @Override
    public void stale(String reason) {
        perform(following.stale(reason, now()));
    }

    @Override
    public void onSay(FollowingEffect.Say effect) {
        effect.lines().forEach(listener::said);
    }

    @Override
    public void onChanged(FollowingEffect.Changed effect) {
        // a log is both outputs in one: its last line is the reason of a failure only if it says so
        boolean failed = effect.state() != SubmissionState.FINISHED
                && effect.log().lines().anyMatch(line -> line.startsWith(DriverFollowing.ERROR));
        listener.changed(new SubmissionStatus(
                submission,
                effect.state(),
                effect.placement(),
                effect.message(),
                effect.exitStatus(),
                effect.log(),
                failed ? effect.log() : "",
                Map.of(),
                effect.attempt()));
        if (effect.state().isFinal()) {
            close();
        }
    }

    @Override
    public void onReadLog(FollowingEffect.ReadLog effect) {
        server.logTail(
                pod,
                DriverObjects.CONTAINER,
                LOG_BYTES,
                answer -> loop.execute(() -> perform(following.logRead(answer, now()))));
    }

    @Override
    public void onDeletePod(FollowingEffect.DeletePod effect) {
        server.delete(
                Resource.POD,
                pod,
                Optional.of(podUid),
                OptionalInt.empty(),
                answer -> loop.execute(() -> perform(following.deleted(answer, now()))));
    }

    @Override
    public void onLost(FollowingEffect.Lost effect) {
        listener.lost(effect.reason());
        close();
    }

    @Override
    public void onWake(FollowingEffect.Wake effect) {
        loop.schedule(effect.after(), () -> perform(following.wake(now())));
    }

    private void close() {
        ended = true;
        mirror.close();
        server.close();
    }

    private void perform(List<FollowingEffect> effects) {
        effects.forEach(effect -> effect.perform(this));
    }

    private long now() {
        return loop.ticker().nanos();
    }
}
