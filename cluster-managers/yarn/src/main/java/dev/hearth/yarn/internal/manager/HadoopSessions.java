package dev.hearth.yarn.internal.manager;

import dev.hearth.hadoopclient.api.HadoopRuntime;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import dev.hearth.yarn.internal.cluster.HadoopSession;
import dev.hearth.yarn.internal.cluster.YarnSession;
import dev.hearth.yarn.internal.hadoop.AuditMark;
import dev.hearth.yarn.internal.settings.KerberosSettings;
import dev.hearth.yarn.internal.settings.StagingSettings;
import dev.hearth.yarn.internal.site.HadoopSite;
import dev.hearth.yarn.internal.submission.SubmissionTools.Sessions;
import java.io.IOException;
import java.util.concurrent.Executor;

/** Sessions by Hadoop's client, and threads on which it may be called. Immutable. */
record HadoopSessions(HadoopRuntime hadoop) implements Sessions {
    @Override
    public YarnSession open(HadoopSite site, Settings settings) throws IOException {
        SettingsReader in = new SettingsReader(settings);
        StagingSettings staging = StagingSettings.read(in);
        KerberosSettings kerberos = KerberosSettings.read(in);
        in.finish();
        return HadoopSession.open(hadoop, site, settings, staging, kerberos);
    }

    @Override
    public Executor under(Executor blocking) {
        return task -> blocking.execute(() -> run(task));
    }

    private void run(Runnable task) {
        try {
            hadoop.call(() -> {
                try {
                    task.run();
                } finally {
                    AuditMark.clear(); // the thread goes on with another application
                }
                return true;
            });
        } catch (RuntimeException failure) {
            throw failure;
        } catch (Exception impossible) { // a task throws no other
            throw new IllegalStateException(impossible);
        }
    }
}
