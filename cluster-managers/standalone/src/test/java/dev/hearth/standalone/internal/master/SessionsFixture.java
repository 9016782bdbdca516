package dev.hearth.standalone.internal.master;

import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.standalone.internal.protocol.ApplicationSession;
import dev.hearth.standalone.internal.protocol.ApplicationSession.HeldExecutor;
import dev.hearth.standalone.internal.protocol.MasterProtocol.RegisterApplication;
import dev.hearth.standalone.internal.protocol.MasterProtocol.RegisterWorker;
import dev.hearth.standalone.internal.protocol.MasterProtocol.WantExecutors;
import dev.hearth.standalone.internal.protocol.MasterTerm;
import dev.hearth.standalone.internal.protocol.WorkerSession;
import dev.hearth.standalone.internal.protocol.WorkerSession.DriverReport;
import dev.hearth.standalone.internal.protocol.WorkerSession.ExecutorReport;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** A master with one worker and one application that come back over other connections, and time that passes. */
abstract class SessionsFixture extends MasterFixture {
    static final ApplicationId KNOWN = new ApplicationId("app-1");

    String worker(long peer, String session, ExecutorReport... executors) {
        return worker(peer, session, List.of(), executors);
    }

    String worker(long peer, String session, List<DriverReport> drivers, ExecutorReport... executors) {
        String refusal = master.registerWorker(
                        new RegisterWorker(
                                "worker-a",
                                "10.0.0." + peer,
                                7078,
                                4,
                                8_192,
                                "/work",
                                List.of(),
                                true,
                                true,
                                new WorkerSession(session, MasterTerm.NONE, drivers, List.of(executors))),
                        peer,
                        now)
                .refusal();
        settle();
        return refusal;
    }

    ApplicationId application(long peer, ApplicationSession session) {
        ApplicationId id = master.registerApplication(
                        new RegisterApplication(
                                "pi",
                                "application",
                                "hearth://driver-1@h:1",
                                OptionalInt.empty(),
                                OptionalInt.of(1),
                                512,
                                Map.of(),
                                Map.of(),
                                "",
                                Optional.empty(),
                                0,
                                session),
                        peer,
                        now)
                .application();
        settle();
        return id;
    }

    static ApplicationSession session(Optional<ApplicationId> known, int wanted, HeldExecutor... holds) {
        return new ApplicationSession(
                "session",
                MasterTerm.NONE,
                known,
                List.of(holds),
                known.map(id -> new WantExecutors(id, wanted, List.of(), Map.of())));
    }

    static ExecutorReport executor(ApplicationId application, String id) {
        return new ExecutorReport(application, new ExecutorId(id), 1, 512, 0, false, List.of());
    }

    static HeldExecutor held(String id) {
        return new HeldExecutor(new ExecutorId(id), "worker-a", 1, 0);
    }

    void pass(Duration time) {
        now += time.toNanos();
        master.expire(now);
        settle();
    }
}
