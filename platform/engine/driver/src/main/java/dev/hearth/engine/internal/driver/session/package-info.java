/**
 * The API of the driver on the application's threads: contexts, blocking and asynchronous jobs, local properties.
 * Uses all other parts of the driver.
 */
@NullMarked
package dev.hearth.engine.internal.driver.session;

import org.jspecify.annotations.NullMarked;
