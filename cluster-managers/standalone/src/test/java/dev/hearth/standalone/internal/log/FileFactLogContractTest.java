package dev.hearth.standalone.internal.log;

import dev.hearth.spi.ledger.Candidacy;
import dev.hearth.spi.ledger.Candidate;
import dev.hearth.spi.ledger.LeadershipListener;
import dev.hearth.spi.settings.Settings;
import dev.hearth.testkit.ledger.FactLogContract;
import java.nio.file.Path;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs the contract of logs on files in a directory. */
@Timeout(120)
class FileFactLogContractTest extends FactLogContract {
    @TempDir
    Path directory;

    @Override
    protected Candidacy stand(String name, LeadershipListener listener) {
        Settings settings = Settings.empty().with("test", "hearth.deploy.recoveryDirectory", directory.toString());
        return new FileFactLogs().stand(new Candidate(name, settings), listener);
    }
}
