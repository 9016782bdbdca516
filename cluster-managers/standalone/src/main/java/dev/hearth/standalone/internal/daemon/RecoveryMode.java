package dev.hearth.standalone.internal.daemon;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.ledger.Candidacy;
import dev.hearth.spi.ledger.Candidate;
import dev.hearth.spi.ledger.FactLogs;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * How a master recovers, as {@code hearth.deploy.recoveryMode} says: with facts of {@code logs}, or, if that is empty, not
 * at all. Immutable.
 */
record RecoveryMode(Optional<FactLogs> logs, Optional<String> warning) {
    private static final String NONE = "NONE";
    private static final String FILESYSTEM = "FILESYSTEM";
    private static final String ROCKSDB = "ROCKSDB";
    private static final String ZOOKEEPER = "ZOOKEEPER";
    private static final String CUSTOM = "CUSTOM";

    /** Selects one of {@code present}. Fails with {@code BAD_SETTING} if none of them has the mode. */
    static RecoveryMode of(Settings settings, List<FactLogs> present) {
        SettingsReader in = new SettingsReader(settings);
        String wanted = in.read(DaemonSettings.RECOVERY_MODE).strip().toUpperCase(Locale.ROOT);
        Optional<String> factory = in.find(DaemonSettings.RECOVERY_FACTORY).map(String::strip);
        in.finish();
        return switch (wanted) {
            case NONE -> new RecoveryMode(Optional.empty(), Optional.empty());
            case CUSTOM -> new RecoveryMode(Optional.of(custom(factory, present)), Optional.empty());
            case ROCKSDB ->
                new RecoveryMode(
                        Optional.of(named(FILESYSTEM, present)),
                        Optional.of(DaemonSettings.RECOVERY_MODE.name()
                                + ": ROCKSDB is not here; the master recovers with FILESYSTEM, which keeps the same"));
            default -> new RecoveryMode(Optional.of(named(wanted, present)), Optional.empty());
        };
    }

    private static FactLogs named(String mode, List<FactLogs> present) {
        return present.stream()
                .filter(logs -> logs.mode().equals(mode))
                .findFirst()
                .orElseThrow(() -> ErrorCode.BAD_SETTING.failure(DaemonSettings.RECOVERY_MODE.name() + ": " + mode
                        + (mode.equals(ZOOKEEPER)
                                ? " without a server (expected: hearth.deploy.zookeeper.url = host:port[,host:port], and"
                                        + " the bundle hearth-ha-zookeeper in bundles/)"
                                : " (expected: one of " + modes(present)
                                        + ", which the bundles of this installation provide)")));
    }

    private static FactLogs custom(Optional<String> factory, List<FactLogs> present) {
        String name = factory.orElseThrow(() -> ErrorCode.BAD_SETTING.failure(DaemonSettings.RECOVERY_FACTORY.name()
                + ": not set (expected: the class or the mode of a service dev.hearth.spi.ledger.FactLogs, for "
                + DaemonSettings.RECOVERY_MODE.name() + "=CUSTOM)"));
        return present.stream()
                .filter(logs ->
                        logs.getClass().getName().equals(name) || logs.mode().equals(name.toUpperCase(Locale.ROOT)))
                .findFirst()
                .orElseThrow(() -> ErrorCode.BAD_SETTING.failure(DaemonSettings.RECOVERY_FACTORY.name() + ": " + name
                        + " (expected: the class or the mode of a service dev.hearth.spi.ledger.FactLogs, of which here"
                        + " are " + modes(present) + "); put its bundle into bundles/ or deploy/"));
    }

    private static List<String> modes(List<FactLogs> present) {
        return Stream.concat(Stream.of(NONE), present.stream().map(FactLogs::mode))
                .toList();
    }

    /** Begins to stand for leadership with {@code seat}, which leads at once if the master does not recover. */
    Candidacy stand(Candidate self, MasterSeat seat) {
        if (logs.isPresent()) {
            return logs.get().stand(self, seat);
        }
        seat.lead();
        return () -> {};
    }
}
