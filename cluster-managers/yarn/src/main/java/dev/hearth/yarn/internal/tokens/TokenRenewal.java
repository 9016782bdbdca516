package dev.hearth.yarn.internal.tokens;

import dev.hearth.spi.error.Failures;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.net.Bytes;
import dev.hearth.yarn.internal.settings.RenewalSettings;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renewal of the tokens of one application: owns their schedule, and looks after the login. Owned by the application's
 * loop, on which {@code published} receives new tokens; the source is called by {@code blocking}. Lives until
 * {@link #close}.
 */
public final class TokenRenewal implements TokenEffect.Handler {
    private static final Logger LOG = LoggerFactory.getLogger(TokenRenewal.class);

    private final EventLoop loop;
    private final TokenSource source;
    private final RenewalSettings settings;
    private final Executor blocking;
    private final Consumer<Bytes> published;
    private final LongSupplier clock;
    private final TokenSchedule schedule;
    private final TicketWatch watch = new TicketWatch();
    private final CompletableFuture<Void> attempted = new CompletableFuture<>();
    private volatile Optional<TokenSource.Ticket> last = Optional.empty(); // that was looked at
    private volatile Optional<Long> endNanos = Optional.empty(); // of the tokens in use, for metrics

    /** {@code blocking} runs one call at a time; {@code clock} has the time of day in milliseconds, as tickets do. */
    public TokenRenewal(
            EventLoop loop,
            TokenSource source,
            RenewalSettings settings,
            Executor blocking,
            Consumer<Bytes> published,
            LongSupplier clock) {
        this.loop = loop;
        this.source = source;
        this.settings = settings;
        this.blocking = blocking;
        this.published = published;
        this.clock = clock;
        this.schedule = new TokenSchedule(settings);
    }

    /**
     * Makes new tokens now, and again before they end. The present ones are valid for {@code valid}. The result completes
     * after the first attempt, whatever became of it.
     */
    public CompletionStage<Void> renew(Optional<Duration> valid) {
        loop.inOrder(() -> {
            perform(schedule.begin(valid, now()));
            lookAfterLogin();
        });
        return attempted.copy();
    }

    /** Warns before tokens end that are valid for {@code valid}; this process cannot make others. */
    public void hold(Optional<Duration> valid) {
        loop.inOrder(() -> {
            perform(schedule.hold(valid, now()));
            lookAfterLogin();
        });
    }

    /** Time for which the tokens in use are valid; empty if they do not end. Any thread may call. */
    public Optional<Duration> left() {
        return endNanos.map(end -> Duration.ofNanos(end - now()));
    }

    /** Ends the renewal. Any thread may call. */
    public void close() {
        loop.inOrder(schedule::close);
    }

    private boolean isClosed() {
        return schedule.state() == TokenSchedule.State.CLOSED;
    }

    @Override
    public void onFetch() {
        blocking.execute(() -> {
            try {
                TokenSet tokens = source.fetch();
                loop.inOrder(() -> fetched(tokens));
            } catch (Throwable failure) { // also an Error of a class that is missing
                loop.inOrder(() -> failed(failure));
            }
        });
    }

    private void fetched(TokenSet tokens) {
        if (!isClosed()) {
            published.accept(tokens.content());
            LOG.debug(
                    "delegation tokens: made, valid for {}",
                    tokens.valid().map(TokenSchedule::words).orElse("ever"));
            perform(schedule.fetched(tokens.valid(), now()));
        }
        attempted.complete(null);
    }

    private void failed(Throwable failure) {
        if (!isClosed()) {
            LOG.debug("tokens", failure);
            perform(schedule.failed(firstLine(failure), now()));
        }
        attempted.complete(null);
    }

    private static String firstLine(Throwable failure) {
        return Failures.describe(failure).lines().findFirst().orElse("");
    }

    @Override
    public void onWake(Duration after) {
        loop.schedule(after, () -> perform(schedule.tick(now())));
    }

    @Override
    public void onNote(TokenEffect.Level level, String words) {
        switch (level) {
            case INFO -> LOG.info(words);
            case WARNING -> LOG.warn(words);
            case ERROR -> LOG.error(words);
        }
    }

    /** Looks at the ticket once in each period, and warns if it ends soon. */
    private void lookAfterLogin() {
        if (isClosed()) {
            return;
        }
        loop.schedule(settings.reloginPeriod(), () -> {
            if (!isClosed()) {
                blocking.execute(this::relogin);
            }
        });
    }

    private void relogin() {
        Optional<TokenSource.Ticket> found = Optional.empty();
        String problem = "";
        try {
            found = source.relogin();
        } catch (Exception failure) { // the next period tries again
            LOG.debug("login", failure);
            problem = firstLine(failure);
        }
        Optional<TokenSource.Ticket> ticket = found.or(() -> last);
        String why = problem;
        loop.inOrder(() -> {
            last = ticket;
            ticket.flatMap(known -> watch.looked(
                            new TicketWatch.Ticket(
                                    known.user(),
                                    Duration.ofMillis(known.endMillis() - clock.getAsLong()),
                                    Duration.ofMillis(known.endMillis() - known.beginMillis())),
                            why))
                    .ifPresent(note -> note.perform(this));
            lookAfterLogin();
        });
    }

    private void perform(List<TokenEffect> effects) {
        endNanos = schedule.left(now()).map(left -> now() + left.toNanos());
        effects.forEach(effect -> effect.perform(this));
    }

    private long now() {
        return loop.ticker().nanos();
    }
}
