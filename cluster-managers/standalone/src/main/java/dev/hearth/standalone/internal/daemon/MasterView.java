package dev.hearth.standalone.internal.daemon;

import dev.hearth.spi.cluster.ApplicationEntry;
import dev.hearth.spi.cluster.ClusterListing;
import dev.hearth.spi.cluster.ClusterView;
import dev.hearth.spi.cluster.DriverEntry;
import dev.hearth.spi.cluster.ExecutorEntry;
import dev.hearth.spi.cluster.LogChunk;
import dev.hearth.spi.cluster.LogSource;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.cluster.WorkerEntry;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.process.OutputRange;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.osgi.service.component.annotations.Component;

/**
 * View of the cluster whose master is this process. Knows no cluster until {@link MasterRole} opens it, and after it has
 * closed it. Any thread may call.
 */
@Component(service = {ClusterView.class, MasterView.class})
public final class MasterView implements ClusterView {
    private volatile Opened opened = new Opened(Optional.empty(), ClusterView.NONE);

    private record Opened(Optional<MasterUrl> master, ClusterView view) {}

    void open(MasterUrl master, ClusterView view) {
        opened = new Opened(Optional.of(master), view);
    }

    void close() {
        opened = new Opened(Optional.empty(), ClusterView.NONE);
    }

    @Override
    public Optional<MasterUrl> own() {
        return opened.master();
    }

    @Override
    public CompletionStage<LogChunk> log(LogSource source, OutputRange range, String holder) {
        return opened.view().log(source, range, holder);
    }

    @Override
    public CompletionStage<ClusterListing<WorkerEntry>> workers() {
        return opened.view().workers();
    }

    @Override
    public CompletionStage<ClusterListing<ApplicationEntry>> applications() {
        return opened.view().applications();
    }

    @Override
    public CompletionStage<ClusterListing<ExecutorEntry>> executors(Optional<ApplicationId> application) {
        return opened.view().executors(application);
    }

    @Override
    public CompletionStage<ClusterListing<DriverEntry>> drivers() {
        return opened.view().drivers();
    }

    @Override
    public CompletionStage<List<String>> decommission(List<String> targets, String reason) {
        return opened.view().decommission(targets, reason);
    }

    @Override
    public CompletionStage<ApplicationEntry> kill(ApplicationId application, String reason) {
        return opened.view().kill(application, reason);
    }
}
