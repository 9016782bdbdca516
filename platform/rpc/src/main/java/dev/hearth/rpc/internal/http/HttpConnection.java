package dev.hearth.rpc.internal.http;

import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.rpc.RpcSnapshot.Lane;
import dev.hearth.spi.rpc.RpcSnapshot.PeerState;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One HTTP connection of a client. Handles one request at a time, from its head to the end of the response, with a time
 * limit on each step. Owned by the channel's event loop; handlers run on the pool and return their responses to the
 * loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // futures are ignored: a failed write or close is also a channel event
final class HttpConnection extends ChannelInboundHandlerAdapter {
    /** Name of this handler in the pipeline. */
    static final String NAME = "http";

    /** Time limit for a handler to complete its answer. */
    static final Duration HANDLER_MAX = HandlerPool.CALL_MAX;

    /** Time after which an idle connection is closed. */
    static final Duration IDLE_MAX = Duration.ofSeconds(60);

    /** Interval of keep-alive comments in event streams. */
    static final Duration COMMENT_INTERVAL = Duration.ofSeconds(15);

    /** Minimum rate at which a request body must arrive. A request whose body arrives more slowly is refused. */
    static final int BODY_BYTES_PER_SECOND_MIN = 1024;

    private static final RenderedResponse.Body NOTHING = new RenderedResponse.MemoryBody(ByteBuffer.allocate(0));
    private static final int NO_CONTENT = 204;
    private static final Duration LINGER_MAX = Duration.ofSeconds(2);
    private static final Logger LOG = LoggerFactory.getLogger(HttpConnection.class);

    private final long id;
    private final Channel channel;
    private final boolean secure;
    private final String remote;
    private final HttpServices services;
    private final RequestDecoder decoder = new RequestDecoder(this::headStarted);
    private final ResponseWriter writer;
    private final Deadline deadline;
    private final long openedNanos;
    // start in HEAD, because the first bytes have already arrived
    private HttpConnectionState phase = HttpConnectionState.HEAD;
    private @Nullable HttpExchange exchange;
    private @Nullable EventStream stream;
    private boolean closing; // whether to close after the current response
    private int bodyBytesSeen; // number of received body bytes at the last rate check
    private volatile long lastNanos;
    private final AtomicLong answers = new AtomicLong();
    private final AtomicLong bytesSent = new AtomicLong();
    private volatile boolean busy;

    HttpConnection(long id, Channel channel, boolean secure, String remote, HttpServices services) {
        this.id = id;
        this.channel = channel;
        this.secure = secure;
        this.remote = remote;
        this.services = services;
        this.writer = new ResponseWriter(channel, secure, services.ticker());
        this.deadline = new Deadline(channel.eventLoop());
        this.openedNanos = services.ticker().nanos();
        this.lastNanos = openedNanos;
    }

    /** Starts to serve the connection: adds this handler to the end of the pipeline. */
    void begin() {
        channel.pipeline()
                .addLast("http-decoder", decoder)
                .addLast("http-encoder", new HttpResponseEncoder())
                .addLast(NAME, this);
        deadline.set(services.times().handshake(), this::headTimedOut);
    }

    /** Closes the connection after the current response, or at once if it is idle or an event stream. Thread-safe. */
    void end() {
        try {
            channel.eventLoop().execute(() -> {
                closing = true;
                EventStream live = stream;
                if (live != null) {
                    live.close();
                } else if (phase == HttpConnectionState.IDLE
                        || phase == HttpConnectionState.HEAD
                        || phase == HttpConnectionState.BODY) {
                    channel.close();
                }
            });
        } catch (RejectedExecutionException ended) {
            LOG.debug("{}: closed with the threads of its env", this);
        }
    }

    /** Returns a snapshot of this connection. Thread-safe. */
    PeerState state(String security) {
        long now = services.ticker().nanos();
        return new PeerState(
                id,
                RpcEnv.DEFAULT_SCOPE,
                Lane.HTTP,
                remote,
                security,
                TimeUnit.NANOSECONDS.toMillis(now - openedNanos),
                TimeUnit.NANOSECONDS.toMillis(now - lastNanos),
                busy ? 1 : 0,
                writer.waitingBytes(),
                answers.get(),
                answers.get() + (busy ? 1 : 0),
                bytesSent.get(),
                decoder.bytesReceived(),
                false);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        try {
            if (message instanceof HttpRequest request) {
                head(request);
            }
            if (message instanceof HttpContent content) {
                content(content);
            }
        } finally {
            ReferenceCountUtil.release(message);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        ended();
        context.fireChannelInactive();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        ended();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (cause instanceof IOException) {
            LOG.debug("{}: the connection failed", this, cause);
        } else {
            LOG.warn("{}: closed after an internal error", this, cause);
        }
        context.close();
    }

    @Override
    public String toString() {
        return "HTTP connection " + id + " from " + remote;
    }

    private void headStarted() {
        if (phase == HttpConnectionState.IDLE) {
            move(HttpConnectionState.HEAD);
            deadline.set(services.times().handshake(), this::headTimedOut);
        }
    }

    private ForwardedHeaders.Sender sender() {
        Optional<InetAddress> address = channel.remoteAddress() instanceof InetSocketAddress socket
                ? Optional.ofNullable(socket.getAddress())
                : Optional.empty();
        return new ForwardedHeaders.Sender(address, remote, secure);
    }

    private void headTimedOut() {
        startExchange();
        refuse(HttpError.REQUEST_TIMEOUT.refused("head of the request: incomplete after "
                + services.times().handshake().toMillis() + " ms (expected: all of it)"));
    }

    private HttpExchange startExchange() {
        HttpExchange started = new HttpExchange(
                services.counters().nextRequest(), services.ticker().nanos());
        exchange = started;
        busy = true;
        lastNanos = started.startedNanos();
        return started;
    }

    private void head(HttpRequest message) {
        if (phase != HttpConnectionState.HEAD) {
            return; // ignore the request head: the response was sent before the request was read completely
        }
        HttpExchange started = startExchange();
        try {
            RequestHead head = RequestHead.of(message);
            started.read(head);
            RequestRouter.Verdict verdict = services.reception().route(head, sender());
            if (verdict instanceof RequestRouter.Answered answered) {
                answer(answered.answer());
            } else {
                started.admit((RequestRouter.Admitted) verdict, head);
                if (services.reception().showsToken(head)) {
                    services.connections().authenticated(channel);
                }
                move(HttpConnectionState.BODY);
                bodyBytesSeen = 0;
                deadline.set(services.times().handshake(), this::checkBodyRate);
                if (head.expectsContinue() && head.hasBody()) {
                    channel.writeAndFlush(new DefaultFullHttpResponse(
                            HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE, Unpooled.EMPTY_BUFFER));
                }
            }
        } catch (RequestRefused refused) {
            refuse(refused);
        }
    }

    private void content(HttpContent content) {
        HttpExchange current = exchange;
        if (phase != HttpConnectionState.BODY || current == null) {
            return; // ignore the rest of the body, because the request was refused
        }
        if (content.decoderResult().isFailure()) {
            refuse(RequestHead.malformed(content.decoderResult().cause()));
            return;
        }
        RequestBody body = current.body();
        int bytes = content.content().readableBytes();
        if (body == null || (long) body.size() + bytes > current.bodyBytesMax()) {
            refuse(RequestRouter.tooLarge(current.bodyBytesMax()));
            return;
        }
        if (!services.bodies().reserve(bytes)) {
            refuse(HttpError.BUSY
                    .refused("bodies of requests: too many bytes at once (expected: at most the bound on all bodies"
                            + " that are being received); try again soon")
                    .with("Retry-After", "1"));
            return;
        }
        current.reserve(bytes);
        body.add(content.content());
        if (content instanceof LastHttpContent) {
            current.arrived();
            handle(current, body);
        }
    }

    private void checkBodyRate() {
        HttpExchange current = exchange;
        RequestBody body = current == null ? null : current.body();
        if (body == null) {
            return;
        }
        Duration between = services.times().handshake();
        long least = Math.max(1, BODY_BYTES_PER_SECOND_MIN * between.toMillis() / 1_000);
        if (body.size() - bodyBytesSeen < least) {
            refuse(HttpError.REQUEST_TIMEOUT.refused(
                    "body of the request: too slow (expected: " + BODY_BYTES_PER_SECOND_MIN + " bytes a second)"));
            return;
        }
        bodyBytesSeen = body.size();
        deadline.set(between, this::checkBodyRate);
    }

    private void handle(HttpExchange current, RequestBody body) {
        decoder.pause();
        channel.config().setAutoRead(false);
        move(HttpConnectionState.HANDLING);
        Mount mount = current.mount();
        RequestHead head = current.head().orElseThrow();
        ForwardedHeaders.Seen seen = current.seen();
        if (mount == null || seen == null) {
            throw new IllegalStateException(
                    "request #" + current.number() + ": no handler was set (expected: a handler before the body)");
        }
        services.connections().busy(channel);
        ResponseMemory.Share memory = services.responses().open(this::disconnectStalled);
        current.use(memory);
        HandlerCall call = new HandlerCall(
                current,
                mount,
                HttpExchange.request(
                        head, mount, body, seen, services.reception().showsToken(head)),
                services,
                memory,
                this::schedule,
                rendered -> deliver(current, rendered));
        deadline.set(HANDLER_MAX, () -> {
            refuse(call.timeoutRefusal());
            services.pool().abandonOverdue();
        });
        try {
            services.pool().submit(mount, call);
        } catch (RequestRefused refused) {
            refuse(refused);
        }
    }

    /** Runs {@code action} after {@code delay} on the event loop of the connection. Any thread. */
    private void schedule(Duration delay, Runnable action) {
        try {
            channel.eventLoop().schedule(action, delay.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException ended) {
            LOG.debug("{}: nothing is scheduled any more, its env has closed", this);
        }
    }

    /**
     * Passes {@code rendered}, the response of the exchange {@code answered} (a request with its response), to the
     * event loop. The response is discarded if the exchange has ended. Any thread.
     */
    private void deliver(HttpExchange answered, RenderedResponse rendered) {
        try {
            channel.eventLoop().execute(() -> {
                if (exchange == answered && phase == HttpConnectionState.HANDLING) {
                    answer(rendered);
                } else {
                    rendered.discard();
                }
            });
        } catch (RejectedExecutionException closed) {
            rendered.discard();
        }
    }

    private void refuse(RequestRefused refused) {
        HttpExchange current = exchange;
        Optional<String> accept =
                current == null ? Optional.empty() : current.head().flatMap(head -> head.header("accept"));
        Optional<RenderedResponse> own = current == null
                ? Optional.empty()
                : current.head().flatMap(head -> services.reception().refusal(head, refused));
        answer(own.orElseGet(() -> services.pages().refusal(refused, accept)));
    }

    private void answer(RenderedResponse rendered) {
        HttpExchange current = exchange;
        if (current == null || phase == HttpConnectionState.ANSWERING || phase == HttpConnectionState.CLOSED) {
            rendered.discard();
            return;
        }
        decoder.pause();
        channel.config().setAutoRead(false);
        move(HttpConnectionState.ANSWERING);
        current.answer(rendered.status());
        if (rendered.status() >= HttpError.INTERNAL.status()) {
            services.counters().failed();
        }
        RequestHead head = current.head().orElse(null);
        boolean headOnly = head != null && head.isHead();
        boolean old = head != null && head.oldVersion();
        if (rendered.body() instanceof RenderedResponse.EventsBody live && !headOnly) {
            ChannelFuture written = writer.writeHead(rendered, new ResponseWriter.ResponseFraming(false, false, old));
            written.addListener(done -> streaming(current, live, done.isSuccess()));
            return;
        }
        current.progressed();
        checkWriting(writer.progress());
        if (rendered.body() instanceof RenderedResponse.StreamBody live
                && !headOnly
                && rendered.status() != NO_CONTENT) {
            stream(current, rendered, live, old);
            return;
        }
        boolean keepAlive = current.keepsAlive() && !closing;
        long bytes = headOnly ? 0 : Math.max(0, rendered.length());
        RenderedResponse ending = rendered;
        if (rendered.length() < 0) {
            rendered.discard();
            ending = new RenderedResponse(rendered.status(), rendered.headers(), NOTHING);
        }
        writer.write(ending, new ResponseWriter.ResponseFraming(headOnly, keepAlive, old), current::progressed)
                .addListener(done -> {
                    current.sent(done.isSuccess() ? bytes : 0);
                    answered(current, keepAlive && done.isSuccess());
                });
    }

    /**
     * Closes the connection if no byte of the response is sent within the silence timeout; otherwise checks again.
     * {@code before} is the progress at the last check.
     */
    private void checkWriting(ResponseWriter.Progress before) {
        deadline.set(services.times().silence(), () -> {
            ResponseWriter.Progress now = writer.progress();
            services.pool().abandonOverdue();
            if (now.equals(before) && (!writer.waitsForSource() || writer.waitsForCall())) {
                LOG.info(
                        "{}: closed, as {}",
                        this,
                        writer.waitsForCall()
                                ? "the source of its response does not return"
                                : "it does not read its response");
                channel.close();
            } else {
                checkWriting(now);
            }
        });
    }

    /**
     * Sends the response {@code rendered}, whose body {@code live} is produced while the client reads. The connection
     * ends with it; until then what the client sends is ignored, but read, so that its disconnect is noticed.
     */
    private void stream(
            HttpExchange current, RenderedResponse rendered, RenderedResponse.StreamBody live, boolean old) {
        StreamPieces body = new StreamPieces(
                live.source(),
                live.calls(),
                new StreamPieces.Hooks(this::inLoop, writer::resume, current::progressed, current::reserveResponse));
        decoder.discard();
        channel.config().setAutoRead(true);
        writer.writeStream(rendered, new ResponseWriter.ResponseFraming(false, false, old), body)
                .addListener(done -> {
                    current.sent(body.progress());
                    answered(current, false);
                });
    }

    /** Runs {@code action} on the event loop of the connection; not at all if the loop has ended. Any thread. */
    private void inLoop(Runnable action) {
        try {
            channel.eventLoop().execute(action);
        } catch (RejectedExecutionException ended) {
            LOG.debug("{}: nothing runs on its loop any more, its env has closed", this);
        }
    }

    /**
     * Closes the connection because its client reads nothing while other requests wait for the memory that its response
     * occupies. Any thread.
     */
    private void disconnectStalled() {
        LOG.info("{}: closed, as it does not read its response, and memory for responses is used up", this);
        channel.close();
    }

    private void answered(HttpExchange current, boolean keepAlive) {
        if (phase != HttpConnectionState.ANSWERING) {
            return; // nothing to do: the connection and its exchange have ended
        }
        boolean whole = current.isWhole();
        finish(current);
        if (keepAlive && !closing) {
            move(HttpConnectionState.IDLE);
            services.connections().idle(channel);
            deadline.set(IDLE_MAX, channel::close);
            channel.eventLoop().execute(this::readNextRequest);
        } else if (whole) {
            channel.close();
        } else {
            linger();
        }
    }

    private void readNextRequest() {
        if (phase != HttpConnectionState.IDLE) {
            return;
        }
        ChannelHandlerContext context = channel.pipeline().context(decoder);
        if (context == null) {
            return; // nothing to do: the channel was closed meanwhile
        }
        try {
            decoder.resume(context);
        } catch (Exception failure) {
            exceptionCaught(context, failure);
            return;
        }
        if (phase == HttpConnectionState.IDLE
                || phase == HttpConnectionState.HEAD
                || phase == HttpConnectionState.BODY) {
            channel.config().setAutoRead(true);
        }
    }

    private void linger() {
        move(HttpConnectionState.LINGERING);
        decoder.discard();
        if (channel instanceof DuplexChannel duplex && !secure) {
            duplex.shutdownOutput();
        }
        deadline.set(LINGER_MAX, channel::close);
        channel.config().setAutoRead(true);
    }

    private void streaming(HttpExchange current, RenderedResponse.EventsBody live, boolean begun) {
        if (!begun || phase != HttpConnectionState.ANSWERING) {
            return; // nothing to do: the channel is closing, which ends the exchange
        }
        move(HttpConnectionState.STREAMING);
        Mount mount = Objects.requireNonNull(current.mount(), "a handler, as it has answered");
        EventStream opened = new EventStream(channel, remote, mount, current, services);
        stream = opened;
        decoder.discard();
        // keep reading, because Netty notices a disconnect only while the channel is read
        channel.config().setAutoRead(true);
        sendComment(opened);
        Optional<String> last = current.head().flatMap(head -> head.header("last-event-id"));
        services.pool().submitNotification(mount, () -> {
            try {
                live.source().opened(opened, last);
            } catch (RuntimeException | LinkageError failure) {
                LOG.warn("request #{}: its source of events failed", current.number(), failure);
                opened.close();
            }
        });
        if (closing) {
            opened.close();
        }
    }

    private void sendComment(EventStream live) {
        live.sendComment();
        deadline.set(COMMENT_INTERVAL, () -> sendComment(live));
    }

    private void ended() {
        if (phase == HttpConnectionState.CLOSED) {
            return;
        }
        move(HttpConnectionState.CLOSED);
        deadline.clear();
        EventStream live = stream;
        HttpExchange current = exchange;
        if (current != null) {
            current.sent(live == null ? 0 : live.sentBytes());
            finish(current);
        }
        if (live != null) {
            live.disconnected();
        }
    }

    private void finish(HttpExchange current) {
        current.end();
        services.bodies().release(current.takeReserved());
        exchange = null;
        long now = services.ticker().nanos();
        AccessLog.answered(current, seenRemote(current), now);
        bytesSent.addAndGet(current.bytesSent());
        answers.incrementAndGet();
        lastNanos = now;
        busy = false;
    }

    private String seenRemote(HttpExchange current) {
        ForwardedHeaders.Seen seen = current.seen();
        return seen == null ? remote : seen.remote();
    }

    private void move(HttpConnectionState next) {
        if (!phase.leadsTo(next)) {
            throw new IllegalStateException(this + ": from " + phase + " to " + next + " (expected: a legal step)");
        }
        phase = next;
    }
}
