package dev.hearth.hazookeeper.internal;

import dev.hearth.spi.ledger.Candidacy;
import dev.hearth.spi.ledger.Candidate;
import dev.hearth.spi.ledger.FactLogs;
import dev.hearth.spi.ledger.LeadershipListener;
import dev.hearth.spi.loop.ThreadEventLoop;
import org.osgi.service.component.annotations.Component;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps facts in ZooKeeper, which also decides which master leads. Each candidacy has a loop of its own. */
@Component(service = FactLogs.class)
public final class ZooKeeperFactLogs implements FactLogs {
    private static final Logger LOG = LoggerFactory.getLogger("dev.hearth.standalone.Master");

    @Override
    public String mode() {
        return "ZOOKEEPER";
    }

    @Override
    public Candidacy stand(Candidate self, LeadershipListener listener) {
        PlainConnection.require(System.getProperties());
        ZooKeeperSettings settings = ZooKeeperSettings.from(self.settings());
        SocketReach reach = new SocketReach();
        EnsembleCandidacy candidacy = new EnsembleCandidacy(
                new ZooKeeperEnsemble(settings),
                new ZnodePaths(settings.directory()),
                self.name(),
                new ThreadEventLoop("facts", failure -> LOG.error("facts in ZooKeeper", failure)),
                EnsembleFactLog.Bounds.DEFAULTS,
                reach,
                listener);
        candidacy.start();
        return () -> {
            candidacy.close();
            reach.close();
        };
    }
}
