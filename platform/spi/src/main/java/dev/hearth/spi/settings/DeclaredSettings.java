package dev.hearth.spi.settings;

import org.osgi.annotation.versioning.ProviderType;

/** Settings declared by the bundles of this process. Implemented by the module kernel. Any thread may call. */
@ProviderType
public interface DeclaredSettings {
    /** Catalog of the settings that the active bundles declare at this moment. */
    SettingsCatalog catalog();
}
