package dev.hearth.launcherlink.internal;

import dev.hearth.api.event.ApplicationEvent;
import dev.hearth.api.event.ApplicationListener;
import dev.hearth.spi.cluster.DeployMode;
import dev.hearth.spi.cluster.SubmissionObserver;
import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.cluster.SubmissionStatus;
import dev.hearth.spi.error.ExitCode;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.kernel.KernelInfo;
import dev.hearth.spi.monitor.EventSubscriber;
import dev.hearth.spi.settings.Settings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports the application of bin/submit to the program that launched the process, and stops it on request. The program is
 * found by environment variables, those of hearth-launcher or of Spark's launcher. If the program ends, the application
 * goes on.
 * <p>Thread-safe: writes are guarded by the lock of this object; one thread reads.
 */
@Component(
        service = {SubmissionObserver.class, EventSubscriber.class},
        immediate = true)
public final class LauncherLink implements SubmissionObserver, EventSubscriber {
    /** Environment variable by which a process knows that hearth-launcher started it, and not Spark's launcher. */
    static final String OWN_PORT = "HEARTH_LAUNCHER_PORT";

    private static final Logger LOG = LoggerFactory.getLogger(LauncherLink.class);
    private static final Duration CONNECT_WITHIN = Duration.ofSeconds(5);

    private Optional<Socket> socket = Optional.empty();
    private Optional<LauncherWire> wire = Optional.empty();
    private Optional<LaunchedState> last = Optional.empty();
    private Optional<Runnable> stop = Optional.empty();
    private DeployMode mode = DeployMode.CLIENT;
    private boolean stopRequested;
    private boolean applicationEnded;
    private Optional<SubmissionId> submitted = Optional.empty();
    private final Set<String> linked = new LinkedHashSet<>(); // names of links that the program knows
    private boolean driverEnded; // as its cluster says

    /** Connects to the program that the environment of this process names. */
    @Activate
    public LauncherLink(@Reference KernelInfo kernel) {
        this(System.getenv(), kernel.version());
    }

    LauncherLink(Map<String, String> environment, String version) {
        boolean own = environment.containsKey(OWN_PORT);
        String port = own ? environment.get(OWN_PORT) : environment.getOrDefault("_SPARK_LAUNCHER_PORT", "");
        String secret = environment.getOrDefault(own ? "HEARTH_LAUNCHER_SECRET" : "_SPARK_LAUNCHER_SECRET", "");
        if ((port == null || port.isEmpty()) && secret.isEmpty()) {
            return; // the bundle was started for another reason, such as a jar in deploy/
        }
        if (port == null || port.isEmpty() || secret.isEmpty()) {
            LOG.warn(
                    "launcher: no port or no secret in the environment (expected: both); the application is not followed");
            return;
        }
        try {
            connect(Integer.parseInt(port), own, secret, version);
        } catch (IOException | IllegalArgumentException e) {
            close();
            LOG.warn("launcher: no connection to port {}; the application is not followed", port, e);
        }
    }

    private void connect(int port, boolean own, String secret, String version) throws IOException {
        Socket open = new Socket();
        socket = Optional.of(open);
        open.connect(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                Math.toIntExact(CONNECT_WITHIN.toMillis()));
        open.setTcpNoDelay(true);
        LauncherWire form = own
                ? new TextWire(open.getInputStream(), open.getOutputStream())
                : new SparkWire(open.getInputStream(), open.getOutputStream());
        form.hello(secret, version);
        wire = Optional.of(form);
        Thread reader = new Thread(() -> read(form), "hearth-launcher-link");
        reader.setDaemon(true);
        reader.start();
    }

    private void read(LauncherWire form) {
        try {
            if (form.awaitStop()) {
                LOG.info("launcher: asks for the end of the application");
                stopApplication();
            }
        } catch (IOException ended) {
            LOG.debug("launcher: its connection has ended", ended);
        }
    }

    private void stopApplication() {
        Optional<Runnable> action;
        synchronized (this) {
            stopRequested = true;
            action = stop;
        }
        action.ifPresent(Runnable::run); // without the lock, as it may block
    }

    @Override
    public void began(SubmissionPlan plan, DeployMode chosen, Runnable stopper) {
        boolean now;
        synchronized (this) {
            mode = chosen;
            stop = Optional.of(stopper);
            now = stopRequested;
        }
        if (now) {
            stopper.run();
        }
    }

    @Override
    public synchronized void accepted(SubmissionId submission) {
        if (submitted.isEmpty()) { // a change of state may be reported first
            submitted = Optional.of(submission);
            send(form -> form.submission(submission.value()));
            move(LaunchedState.SUBMITTED);
        }
    }

    @Override
    public synchronized void changed(SubmissionStatus status) {
        accepted(status.submission());
        for (Map.Entry<String, String> link : status.links().entrySet()) {
            if (linked.add(link.getKey())) {
                send(form -> form.link(link.getKey(), link.getValue()));
            }
        }
        driverEnded = status.state().isFinal();
        LaunchedState.of(status.state()).filter(next -> !next.isFinal()).ifPresent(this::move);
    }

    @Override
    public synchronized void ended(int exitStatus, String code, String message) {
        send(form -> form.end(code, message));
        if (submitted.isPresent() && !driverEnded && !stopRequested) {
            return; // the driver goes on without this process
        }
        if (exitStatus != ExitCode.OK.status()) {
            boolean killed = stopRequested
                    || exitStatus == ExitCode.KILLED.status()
                    || exitStatus == ExitCode.TERMINATED.status();
            move(killed ? LaunchedState.KILLED : LaunchedState.FAILED);
        } else {
            move(LaunchedState.FINISHED);
        }
    }

    @Override
    public Optional<ApplicationListener> subscribe(String application, String name, Settings settings) {
        synchronized (this) {
            send(form -> form.application(application));
            if (last.isEmpty()) { // a program may open several contexts
                move(LaunchedState.SUBMITTED);
            }
        }
        return Optional.of(new Listener());
    }

    /** Closes the connection. Called when the process ends, also by an exit of the application. */
    @Deactivate
    synchronized void close() {
        if (applicationEnded && mode == DeployMode.CLIENT) {
            move(LaunchedState.FINISHED); // the program corrects this by a failing exit status
        }
        wire = Optional.empty();
        socket.ifPresent(open -> {
            try {
                open.close();
            } catch (IOException e) {
                LOG.debug("launcher: connection already closed", e);
            }
        });
    }

    private synchronized void move(LaunchedState next) {
        boolean follows = last.isEmpty() || (!last.get().isFinal() && last.get() != next);
        if (follows) {
            last = Optional.of(next);
            send(form -> form.state(next));
        }
    }

    private synchronized void send(Message message) {
        wire.ifPresent(form -> {
            try {
                message.writeTo(form);
            } catch (IOException ended) {
                wire = Optional.empty();
                LOG.info("launcher: its connection has ended; the application goes on", ended);
            }
        });
    }

    @FunctionalInterface
    private interface Message {
        void writeTo(LauncherWire form) throws IOException;
    }

    private final class Listener implements ApplicationListener {
        @Override
        public void on(ApplicationEvent event) {
            synchronized (LauncherLink.this) {
                if (event instanceof ApplicationEvent.ApplicationStarted) {
                    move(LaunchedState.RUNNING);
                } else if (event instanceof ApplicationEvent.ApplicationEnded) {
                    applicationEnded = true;
                }
            }
        }

        @Override
        public boolean hearsTasks() {
            return false;
        }
    }
}
