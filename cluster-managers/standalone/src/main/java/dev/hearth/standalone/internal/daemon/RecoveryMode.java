package dev.hearth.standalone.internal.daemon;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.ledger.Candidacy;
import dev.hearth.spi.ledger.Candidate;
import dev.hearth.spi.ledger.FactLogs;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * How a master recovers, as {@code hearth.deploy.recoveryMode} says: with facts of {@code logs}, or, if that is empty, not
 * at all. Immutable.
 */
record RecoveryMode(Optional<FactLogs> logs, Optional<String> warning) {
    private static final String NONE = "NONE";
    private static final String FILESYSTEM = "FILESYSTEM";
    private static final String ROCKSDB = "ROCKSDB";

    /** Selects one of {@code present}. Fails with {@code BAD_SETTING} if none of them has the mode. */
    static RecoveryMode of(Settings settings, List<FactLogs> present) {
        SettingsReader in = new SettingsReader(settings);
        String wanted = in.read(DaemonSettings.RECOVERY_MODE).strip().toUpperCase(Locale.ROOT);
        in.finish();
        if (wanted.equals(NONE)) {
            return new RecoveryMode(Optional.empty(), Optional.empty());
        }
        String mode = wanted.equals(ROCKSDB) ? FILESYSTEM : wanted;
        Optional<FactLogs> found =
                present.stream().filter(logs -> logs.mode().equals(mode)).findFirst();
        if (found.isEmpty()) {
            List<String> modes = new ArrayList<>(List.of(NONE));
            present.forEach(logs -> modes.add(logs.mode()));
            throw ErrorCode.BAD_SETTING.failure(DaemonSettings.RECOVERY_MODE.name() + ": " + wanted
                    + " (expected: one of " + modes + ", which the bundles of this installation provide)");
        }
        return new RecoveryMode(
                found,
                wanted.equals(ROCKSDB)
                        ? Optional.of(DaemonSettings.RECOVERY_MODE.name()
                                + ": ROCKSDB is not here; the master recovers with FILESYSTEM, which keeps the same")
                        : Optional.empty());
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
