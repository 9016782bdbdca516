package dev.hearth.kubernetes.internal.mirror;

import dev.hearth.kubernetes.internal.api.Answer;
import dev.hearth.kubernetes.internal.api.ApiServer;
import dev.hearth.kubernetes.internal.api.ObjectFacts;
import dev.hearth.kubernetes.internal.api.Resource;
import dev.hearth.spi.loop.EventLoop;
import java.util.List;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Owns a {@link Mirror} on an event loop, and sends its requests for the pods that match one selector. */
public final class MirrorShell implements MirrorEffect.Handler, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(MirrorShell.class);

    private final Mirror mirror;
    private final ApiServer server;
    private final EventLoop loop;
    private final String selector;
    private final PodListener listener;
    private ApiServer.@Nullable Watch watch;

    public MirrorShell(ApiServer server, EventLoop loop, String selector, PodListener listener) {
        this(server, loop, selector, MirrorSettings.DEFAULTS, listener);
    }

    public MirrorShell(
            ApiServer server, EventLoop loop, String selector, MirrorSettings settings, PodListener listener) {
        this.mirror = new Mirror(settings);
        this.server = server;
        this.loop = loop;
        this.selector = selector;
        this.listener = listener;
    }

    /** Starts the first list. Called once. */
    public void start() {
        perform(mirror.start(now()));
    }

    @Override
    public void close() {
        perform(mirror.close());
    }

    @Override
    public void onListPage(MirrorEffect.ListPage effect) {
        server.list(
                Resource.POD,
                selector,
                effect.next(),
                answer -> later(now -> mirror.answered(effect.number(), answer, now)));
    }

    @Override
    public void onOpenWatch(MirrorEffect.OpenWatch effect) {
        onCloseWatch(new MirrorEffect.CloseWatch());
        watch = server.watch(Resource.POD, selector, effect.version(), new Events(effect.number()));
    }

    @Override
    public void onCloseWatch(MirrorEffect.CloseWatch effect) {
        ApiServer.Watch open = watch;
        watch = null;
        if (open != null) {
            open.stop();
        }
    }

    @Override
    public void onPolling(MirrorEffect.Polling effect) {
        LOG.warn(
                "pods {} are listed every {} s, because they cannot be watched: {} (expected: the right to watch pods)",
                selector,
                effect.interval().toSeconds(),
                effect.words());
    }

    @Override
    public void onSeen(MirrorEffect.Seen effect) {
        listener.seen(effect.object());
    }

    @Override
    public void onVanished(MirrorEffect.Vanished effect) {
        listener.vanished(effect.object());
    }

    @Override
    public void onListed(MirrorEffect.Listed effect) {
        listener.listed(effect.requestedNanos());
    }

    @Override
    public void onStale(MirrorEffect.Stale effect) {
        listener.stale(effect.reason());
    }

    @Override
    public void onWake(MirrorEffect.Wake effect) {
        loop.schedule(effect.after(), () -> perform(mirror.wake(now())));
    }

    private void later(LongFunction<List<MirrorEffect>> event) {
        loop.execute(() -> perform(event.apply(now())));
    }

    private void perform(List<MirrorEffect> effects) {
        effects.forEach(effect -> effect.perform(this));
    }

    private long now() {
        return loop.ticker().nanos();
    }

    /** Passes the events of one watch to the loop. */
    private final class Events implements ApiServer.WatchListener {
        private final long number;

        Events(long number) {
            this.number = number;
        }

        @Override
        public void changed(ObjectFacts object) {
            later(now -> mirror.changed(number, object, now));
        }

        @Override
        public void deleted(ObjectFacts object) {
            later(now -> mirror.deleted(number, object, now));
        }

        @Override
        public void bookmark(String version) {
            later(now -> mirror.bookmark(number, version, now));
        }

        @Override
        public void ended(Answer end) {
            later(now -> mirror.ended(number, end, now));
        }
    }
}
