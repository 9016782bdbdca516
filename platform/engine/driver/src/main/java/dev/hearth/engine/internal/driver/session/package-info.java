/**
 * The API of the driver, called on the application's threads: contexts, blocking and asynchronous jobs, and local
 * properties. Uses all other packages of the driver.
 */
@NullMarked
package dev.hearth.engine.internal.driver.session;

import org.jspecify.annotations.NullMarked;
