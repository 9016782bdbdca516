package dev.hearth.yarn.internal.submission;

import dev.hearth.spi.application.BundleSet;
import dev.hearth.spi.kernel.Installation;
import dev.hearth.spi.process.ProcessLauncher;
import dev.hearth.spi.settings.Settings;
import dev.hearth.yarn.internal.cluster.YarnSession;
import dev.hearth.yarn.internal.site.HadoopSite;
import java.io.IOException;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * Parts of this process that submissions use: the installation, the commands of its processes, the bundles that drivers start,
 * and sessions with clusters. Immutable.
 */
public record SubmissionTools(
        Installation installation, ProcessLauncher launcher, Supplier<BundleSet> bundles, Sessions sessions) {
    /** Opener of sessions, which may block, and of the threads on which they are used. */
    public interface Sessions {
        /** The threads of {@code blocking}, on which sessions may be opened and used. */
        Executor under(Executor blocking);

        /** Opens a session with the cluster of {@code site} for an application with {@code settings}. */
        YarnSession open(HadoopSite site, Settings settings) throws IOException;
    }
}
